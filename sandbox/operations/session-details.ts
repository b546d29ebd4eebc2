import type { Scope } from '../scope.ts';
import type { LineItemJson, SessionDetails } from '../store/kinds.ts';

/** The id under which a session's lines and further particulars are kept. */
export function detailsId(sessionId: string): string {
  return `details_${sessionId}`;
}

export function sessionDetails(scope: Scope, sessionId: string): SessionDetails {
  return scope.objects.get('session_details', detailsId(sessionId));
}

/** A session's line items, which the session itself does not carry. */
export function lineItemsOf(scope: Scope, sessionId: string): LineItemJson[] {
  return sessionDetails(scope, sessionId).lines.map(({ item }) => item);
}

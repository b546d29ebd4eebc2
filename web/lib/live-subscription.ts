import type { TadaDocumentNode } from 'gql.tada';
import { sourceOf } from './graphql.ts';

export interface LiveSubscription {
  query: string;
  variables: Record<string, unknown>;
  /** Takes the data of an answer. */
  next(data: unknown): void;
}

/** A subscription and what the page does with each answer. */
export function liveSubscription<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  next: (data: Data) => void,
): LiveSubscription {
  return { query: sourceOf(document), variables, next: (data) => next(data as Data) };
}

const CHANNEL = 'padlink.claim';

/** Tells the other open pages that this browser may have a new claim, or new purchases under it. */
export function announceClaim(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** @returns ends it */
export function onClaim(run: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = run;
  return () => channel.close();
}

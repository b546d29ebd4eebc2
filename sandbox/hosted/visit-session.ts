import type Stripe from 'stripe';
import { expireSession } from '../operations/expire-session.ts';
import type { Scope } from '../scope.ts';
import { messagePage } from './message-page.ts';
import type { Answer } from './send-answer.ts';

/** Lets go on with an open session; answers instead where there is nothing left to pay. */
export function visitSession(
  scope: Scope,
  sessionId: string,
  whenOpen: (session: Stripe.Checkout.Session) => Answer,
): Answer {
  const found = scope.objects.find('checkout.session', sessionId);
  if (!found) {
    return messagePage({
      status: 404,
      title: 'This checkout does not exist',
      text: 'The address may be incomplete. Go back to the shop and start the payment again.',
    });
  }
  const isOver = found.status === 'open' && found.expires_at <= scope.now;
  const session = isOver ? expireSession(scope, found) : found;
  if (session.status === 'complete') return { location: successLocation(session) };
  if (session.status === 'open') return whenOpen(session);
  return messagePage({
    status: 410,
    title: 'This checkout has expired',
    text: 'Nothing was charged. Go back to the shop and start the payment again.',
    link: session.cancel_url ? { href: session.cancel_url, label: '← Back' } : undefined,
  });
}

/** Where the buyer goes after paying; the address may ask for the session's id. */
export function successLocation(session: Stripe.Checkout.Session): string {
  const url = session.success_url?.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
  return new URL(url as string).href;
}

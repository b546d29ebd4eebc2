import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import {
  attemptPayment,
  findAwaitingPayment,
  finishAuthentication,
  type PaymentResult,
} from '../operations/attempt-payment.ts';
import { expireSession, sessionDetails } from '../operations/end-session.ts';
import type { Scope } from '../scope.ts';
import type { CardFormState } from './card-form.ts';
import { checkoutPage, checkoutPath, confirmPage } from './checkout-page.ts';
import { type Answer, messagePage, sendAnswer } from './document.ts';
import { type FormValues, readCardForm } from './read-card-form.ts';

type SessionRoute = { Params: { session: string } };

const EMPTY: FormValues = { email: '', cardNumber: '', expiry: '', cvc: '' };
const ONLY_TEST_CARDS =
  'Only test cards work here. Choose one from the list below, and never enter a real card.';

type Visit = (scope: Scope, session: Stripe.Checkout.Session, body: unknown) => Answer;

/** The page of a checkout session, its payment, and the confirmation that some cards ask for. */
export function checkoutRoutes(app: FastifyInstance, books: Books): void {
  const serve = (method: 'GET' | 'POST', path: string, visit: Visit) =>
    app.route<SessionRoute>({
      method,
      url: `/sandbox/checkout/:session${path}`,
      handler: ({ params, body }, reply) =>
        sendAnswer(
          reply,
          books.transact((scope) =>
            visitSession(scope, params.session, (session) => visit(scope, session, body)),
          ),
        ),
    });
  serve('GET', '', (scope, session) =>
    showForm(scope, session, {
      values: { ...EMPTY, email: session.customer_email ?? '' },
      errors: {},
    }),
  );
  serve('POST', '', pay);
  serve('GET', '/confirm', (scope, session) =>
    findAwaitingPayment(scope, session)
      ? confirmPage(session)
      : { location: checkoutPath(session.id) },
  );
  serve('POST', '/confirm', confirm);
}

function pay(scope: Scope, session: Stripe.Checkout.Session, body: unknown): Answer {
  const { values, errors, details } = readCardForm(body, new Date());
  const again = { ...values, cvc: '' };
  if (Object.keys(errors).length > 0) {
    return showForm(scope, session, { values: again, errors }, 422);
  }
  if (!details) {
    const refusal = { message: ONLY_TEST_CARDS, field: 'cardNumber' } as const;
    return showForm(scope, session, { values: again, errors, refusal }, 402);
  }
  return afterAttempt(scope, session, attemptPayment(scope, session, details), again);
}

function confirm(scope: Scope, session: Stripe.Checkout.Session, body: unknown): Answer {
  const intent = findAwaitingPayment(scope, session);
  if (!intent) return { location: checkoutPath(session.id) };
  const authenticated = (body as { outcome?: unknown } | undefined)?.outcome === 'complete';
  const method = scope.objects.get('payment_method', intent.payment_method as string);
  const email = method.billing_details.email ?? '';
  const result = finishAuthentication(scope, session, intent, authenticated);
  return afterAttempt(scope, session, result, { ...EMPTY, email });
}

function afterAttempt(
  scope: Scope,
  session: Stripe.Checkout.Session,
  result: PaymentResult,
  values: FormValues,
): Answer {
  switch (result.kind) {
    case 'completed':
      return { location: successLocation(result.session) };
    case 'authenticate':
      return { location: `${checkoutPath(session.id)}/confirm` };
    case 'declined':
      return showForm(scope, session, { values, errors: {}, refusal: result.decline }, 402);
  }
}

function showForm(
  scope: Scope,
  session: Stripe.Checkout.Session,
  form: CardFormState,
  status?: number,
): Answer {
  return checkoutPage(session, sessionDetails(scope, session.id).lines, form, status);
}

/** Lets go on with an open session; answers instead where there is nothing left to pay. */
function visitSession(
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
function successLocation(session: Stripe.Checkout.Session): string {
  const url = session.success_url?.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
  return new URL(url as string).href;
}

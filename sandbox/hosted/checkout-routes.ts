import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { attemptPayment, type PaymentResult } from '../operations/attempt-payment.ts';
import { findAwaitingPayment, finishAuthentication } from '../operations/finish-authentication.ts';
import { sessionDetails } from '../operations/session-details.ts';
import type { Scope } from '../scope.ts';
import type { CardFormState } from './card-form.ts';
import { checkoutPage, checkoutPath } from './checkout-page.ts';
import { confirmPage } from './confirm-page.ts';
import { type FormValues, readCardForm } from './read-card-form.ts';
import { type Answer, sendAnswer } from './send-answer.ts';
import { successLocation, visitSession } from './visit-session.ts';

type SessionRoute = { Params: { session: string } };

const EMPTY: FormValues = { email: '', cardNumber: '', expiry: '', cvc: '' };
const ONLY_TEST_CARDS =
  'Only test cards work here. Choose one from the list below, and never enter a real card.';

/** The page of a checkout session, its payment, and the confirmation that some cards ask for. */
export function checkoutRoutes(app: FastifyInstance, books: Books): void {
  app.get<SessionRoute>('/sandbox/checkout/:session', (request, reply) =>
    sendAnswer(
      reply,
      books.transact((scope) =>
        visitSession(scope, request.params.session, (session) =>
          showForm(scope, session, {
            values: { ...EMPTY, email: session.customer_email ?? '' },
            errors: {},
          }),
        ),
      ),
    ),
  );

  app.post<SessionRoute>('/sandbox/checkout/:session', (request, reply) =>
    sendAnswer(
      reply,
      books.transact((scope) =>
        visitSession(scope, request.params.session, (session) => pay(scope, session, request.body)),
      ),
    ),
  );

  app.get<SessionRoute>('/sandbox/checkout/:session/confirm', (request, reply) =>
    sendAnswer(
      reply,
      books.transact((scope) =>
        visitSession(scope, request.params.session, (session) =>
          findAwaitingPayment(scope, session)
            ? confirmPage(session)
            : { location: checkoutPath(session.id) },
        ),
      ),
    ),
  );

  app.post<SessionRoute>('/sandbox/checkout/:session/confirm', (request, reply) =>
    sendAnswer(
      reply,
      books.transact((scope) =>
        visitSession(scope, request.params.session, (session) =>
          confirm(scope, session, request.body),
        ),
      ),
    ),
  );
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

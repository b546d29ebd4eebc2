import type Stripe from 'stripe';
import { createApiServer } from '../../sandbox/api/server.ts';
import { type Books, openBooks } from '../../sandbox/books.ts';
import { attemptPayment } from '../../sandbox/operations/attempt-payment.ts';
import { answerDispute, openDispute } from '../../sandbox/operations/disputes.ts';
import { reportCost } from '../../sandbox/operations/finish-payment.ts';
import { createRefund } from '../../sandbox/operations/refunds.ts';
import { performTask } from '../../sandbox/run-due-tasks.ts';
import type { Scope } from '../../sandbox/scope.ts';
import type { TaskName } from '../../sandbox/store/schedule.ts';
import { findTestCard } from '../../sandbox/test-cards.ts';

type Opening = 'needs_response' | 'prevented' | 'warning_needs_response';

/** All that the provider knows of one checkout. */
export interface Payment {
  session: Stripe.Checkout.Session;
  intent: Stripe.PaymentIntent | undefined;
  charge: Stripe.Charge | undefined;
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

const silent = { info() {}, warn() {}, error() {} };

/** The real sandbox in this process, of which nothing happens by itself: a test lets it happen. */
export async function startProvider(dataDir: string, publicUrl: string) {
  const books: Books = openBooks(dataDir, publicUrl);
  const api = createApiServer(books, async () => {}, silent);
  const apiUrl = await api.listen({ host: '127.0.0.1', port: 0 });
  const act = <Result>(work: (scope: Scope) => Result) => books.transact(work);

  return {
    apiUrl,
    act,
    async stop() {
      await api.close();
      books.close();
    },

    read: (sessionId: string): Payment =>
      act(({ objects }) => {
        const session = objects.get('checkout.session', sessionId);
        const id = session.payment_intent as string | null;
        const intent = id ? objects.get('payment_intent', id) : undefined;
        const charge = intent?.latest_charge
          ? objects.get('charge', intent.latest_charge as string)
          : undefined;
        const query = { limit: 100, fields: { payment_intent: id ?? '' } };
        return {
          ...{ session, intent, charge },
          refunds: intent ? objects.list('refund', query).data : [],
          disputes: intent ? objects.list('dispute', query).data : [],
        };
      }),

    /** @returns whether the session was still there to be paid */
    pay: (sessionId: string, number: string): boolean =>
      act((scope) => {
        const session = scope.objects.get('checkout.session', sessionId);
        const card = findTestCard(number);
        if (!card) throw new Error(`There is no test card ${number}.`);
        if (session.status !== 'open' || session.expires_at <= scope.now) return false;
        const email = 'buyer@example.com';
        attemptPayment(scope, session, { card, email, expiryMonth: 12, expiryYear: 2099 });
        return true;
      }),

    refund: (charge: Stripe.Charge, amount: number) =>
      act((scope) =>
        createRefund(scope, charge, { amount, reason: 'requested_by_customer', metadata: {} }),
      ),

    dispute: (charge: Stripe.Charge, status: Opening) =>
      act((scope) => openDispute(scope, charge.id, status)),

    answer: (id: string, word: string) =>
      act((scope) => {
        const dispute = scope.objects.get('dispute', id);
        const isAppeal = dispute.status === 'appeal_needs_response';
        const evidence = isAppeal
          ? { appeal: { card: { reason_for_filing: word } } }
          : { uncategorized_text: word };
        return answerDispute(scope, dispute, evidence, true);
      }),

    reportCost: (charge: Stripe.Charge) => act((scope) => reportCost(scope, charge)),

    tasks: () => books.schedule.due(Number.MAX_SAFE_INTEGER),

    /** Does what was put off, now. */
    perform: ({ id, task, subject }: { id: number; task: TaskName; subject: string }) =>
      act((scope) => {
        books.schedule.remove(id);
        performTask(scope, task, subject);
      }),

    /** Does what is due by the clock. */
    performDue() {
      for (const task of books.schedule.due(Date.now())) this.perform(task);
    },

    /** Events that have not been taken, the oldest first. */
    waitingEvents: () => books.deliveries.due(Number.MAX_SAFE_INTEGER).map(({ event }) => event),
    forget: (event: { id: string }) => books.deliveries.remove(event.id),
    oldEvents: () => act(({ objects }) => objects.list('event', { limit: 20 }).data),
    balance: () => act(({ objects }) => objects.balance()),
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

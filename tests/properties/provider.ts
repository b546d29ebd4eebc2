import type Stripe from 'stripe';
import { createApiServer } from '../../sandbox/api/server.ts';
import { type Books, openBooks } from '../../sandbox/books.ts';
import { finishOnboarding } from '../../sandbox/operations/accounts.ts';
import { attemptPayment } from '../../sandbox/operations/attempt-payment.ts';
import { answerDispute, openDispute } from '../../sandbox/operations/disputes.ts';
import { DESTINATIONS, updateDestination } from '../../sandbox/operations/event-destinations.ts';
import { reportCost } from '../../sandbox/operations/finish-payment.ts';
import { recordBalanceChange } from '../../sandbox/operations/record-balance-change.ts';
import { createRefund } from '../../sandbox/operations/refunds.ts';
import { reverseTransfer } from '../../sandbox/operations/transfers.ts';
import { performTask } from '../../sandbox/run-due-tasks.ts';
import type { Scope } from '../../sandbox/scope.ts';
import type { Objects } from '../../sandbox/store/objects.ts';
import { findTestCard } from '../../sandbox/test-cards.ts';
import { EVENTS } from '../../server/adapters/stripe/read-events.ts';

type Task = ReturnType<Books['schedule']['due']>[number];
type Opening = 'needs_response' | 'prevented' | 'warning_needs_response';

/** All that the provider knows of one checkout. */
export interface Payment {
  session: Stripe.Checkout.Session;
  intent: Stripe.PaymentIntent | undefined;
  charge: Stripe.Charge | undefined;
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

const ALL = { limit: 100_000 };
const silent = { info() {}, warn() {}, error() {} };

/**
 * The real sandbox in this process, of which nothing happens by itself: a test lets it happen. It
 * sends the events that an operator is told to have sent.
 */
export async function startProvider(dataDir: string, publicUrl: string) {
  const books: Books = openBooks(dataDir, publicUrl);
  const api = createApiServer(books, async () => {}, { log: silent });
  const apiUrl = await api.listen({ host: '127.0.0.1', port: 0 });
  const act = <Result>(work: (scope: Scope) => Result) => books.transact(work);
  act((scope) => {
    const { platform, connected, thin } = DESTINATIONS;
    updateDestination(scope, platform, { enabledEvents: EVENTS.platform(true) });
    updateDestination(scope, connected, { enabledEvents: EVENTS.connected });
    updateDestination(scope, thin, { enabledEvents: EVENTS.thin });
  });
  let known: Map<string, Payment> | undefined;
  books.onCommit(() => {
    known = undefined;
  });

  return {
    apiUrl,
    act,
    async stop() {
      await api.close();
      books.close();
    },

    /** All checkouts by the ids of their sessions. */
    payments(): Map<string, Payment> {
      known ??= act(({ objects }) => readPayments(objects));
      return known;
    },

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

    /** Does what was put off, now, for the account that put it off. */
    perform: ({ id, task, subject, account }: Task) =>
      act((scope) => {
        books.schedule.remove(id);
        performTask(scope.forAccount(account), task, subject);
      }),

    /** Does what is due by the clock. */
    performDue() {
      for (const task of books.schedule.due(Date.now())) this.perform(task);
    },

    /** The owner of an account names the bank account that its money goes to. */
    nameBank: (account: string, bankAccountNumber: string) =>
      act((scope) =>
        finishOnboarding(scope, scope.objects.get('account', account), bankAccountNumber),
      ),
    isBankOf: (account: string | null, bankAccountNumber: string) =>
      act(({ objects }) =>
        bankAccountNumber.endsWith(
          objects.find('account', account ?? '')?.bankAccount?.last4 ?? 'none',
        ),
      ),

    /** The operator moves money of the platform to their bank, or from it where it is negative. */
    withdraw: (cents: number) =>
      act((scope) => {
        const type = cents > 0 ? 'payout' : 'topup';
        const moved = { type, amount: -cents, reportingCategory: type } as const;
        recordBalanceChange(scope, { ...moved, description: null, source: null });
      }),

    /** The operator takes a transfer back by hand. @returns whether its money was still there */
    takeBack: (transfer: Stripe.Transfer): boolean =>
      act((scope) => {
        const { objects } = scope.forAccount(transfer.destination as string);
        if (transfer.reversed || objects.balance() < transfer.amount) return false;
        reverseTransfer(scope, transfer, { amount: undefined, metadata: {} });
        return true;
      }),

    /** Newest first. */
    transfers: () => act(({ objects }) => objects.list('transfer', ALL).data),
    /** Of a connected account to its bank, newest first. */
    payoutsOf: (account: string) =>
      act((scope) => scope.forAccount(account).objects.list('payout', ALL).data),
    /** What moved the platform's balance. */
    transactions: () => act(({ objects }) => objects.list('balance_transaction', ALL).data),

    /** Events that have not been taken, the oldest first. */
    waitingEvents: () =>
      books.deliveries
        .due(Number.MAX_SAFE_INTEGER, ALL.limit)
        .flatMap((id) => books.deliveries.find(id)?.event ?? []),
    forget: (event: { id: string }) => books.deliveries.remove(event.id),
    oldEvents: () => act(({ objects }) => objects.list('event', { limit: 20 }).data),
    balance: () => act(({ objects }) => objects.balance()),
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

function readPayments(objects: Objects): Map<string, Payment> {
  const read = <K extends 'charge' | 'dispute' | 'payment_intent' | 'refund'>(kind: K) =>
    objects.list(kind, ALL).data;
  const intents = new Map(read('payment_intent').map((intent) => [intent.id, intent]));
  const charges = new Map(read('charge').map((charge) => [charge.id, charge]));
  const refunds = Map.groupBy(read('refund'), ({ payment_intent: id }) => id);
  const disputes = Map.groupBy(read('dispute'), ({ payment_intent: id }) => id);
  const sessions = objects.list('checkout.session', ALL).data;
  return new Map(
    sessions.map((session) => {
      const id = session.payment_intent as string | null;
      const intent = intents.get(id ?? '');
      const charge = charges.get((intent?.latest_charge as string | null) ?? '');
      const returns = { refunds: refunds.get(id) ?? [], disputes: disputes.get(id) ?? [] };
      return [session.id, { session, intent, charge, ...(intent ? returns : NOTHING) }];
    }),
  );
}

const NOTHING = { refunds: [], disputes: [] };

import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import { disputeCause } from '../../server/books/ledger/follow-payment.ts';
import { refundCause, refundReversalCause } from '../../server/books/ledger/record-refund.ts';
import { processingCostCause, saleCause } from '../../server/books/ledger/record-sale.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { selectPurchases } from '../../server/selling/purchases/queries.ts';
import type { Provider } from './provider.ts';

/** All that the product has written down about money, as it stands in its database. */
export type Books = Awaited<ReturnType<typeof readBooks>>;
type Entry = Books['entries'][number];
type Line = Entry['lines'][number];

export async function readBooks(db: Database) {
  const entries = await db.selectFrom('ledger_entry').selectAll().execute();
  const lines = await db.selectFrom('ledger_line').selectAll().orderBy('position').execute();
  const linesOf = Map.groupBy(lines, ({ entry_id }) => entry_id);
  const imported = await db
    .selectFrom('provider_transaction')
    .select(['id', 'type', 'net_cents'])
    .execute();
  return {
    entries: entries.map((entry) => ({ ...entry, lines: linesOf.get(entry.id) ?? [] })),
    /** By their ids. */
    imported: new Map(imported.map((transaction) => [transaction.id, transaction])),
    balances: await db.selectFrom('user_balance').selectAll().execute(),
    payouts: await db.selectFrom('payout').selectAll().execute(),
    refunds: await db.selectFrom('refund').selectAll().execute(),
    purchases: await selectPurchases(db)
      .leftJoin('reserve', 'reserve.purchase_id', 'purchase.id')
      .leftJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
      .select(['reserve.amount_cents as reserve', 'access_grant.state as grant_state'])
      .execute(),
    events: await db.selectFrom('webhook_event').select(['id', 'handled_at']).execute(),
    jobs: await db.selectFrom('job').select(['kind', 'payload', 'died_at', 'last_error']).execute(),
  };
}

const sum = (lines: Pick<Line, 'amount_cents'>[]) =>
  lines.reduce((total, { amount_cents }) => total + amount_cents, 0);
const of = (account: string) => (line: Line) => line.account === account;

/** What entries of these kinds moved in an account, in cents. */
function sumOf(entries: Entry[], account: string, kinds: RegExp): number {
  const meant = entries.filter(({ kind }) => kinds.test(kind));
  return sum(meant.flatMap(({ lines }) => lines.filter(of(account))));
}

export const creditOf = (books: Books, purchaseId: string) =>
  sumOf(
    books.entries.filter((entry) => entry.purchase_id === purchaseId),
    'creator',
    /./,
  );

/** What of a creator's payouts was not booked back, in cents. */
export const paidOutOf = ({ payouts }: Books, ownerId: string) =>
  payouts
    .filter((payout) => payout.owner_id === ownerId && payout.state !== 'reversed')
    .reduce((cents, { amount_cents }) => cents + amount_cents, 0);

/**
 * What must not be in the books at any moment, whatever of the provider's news has arrived by then.
 * @param earlier the same books before: nothing that was in them may be another now
 */
export function* findFaults(books: Books, earlier?: Books): Generator<string> {
  const { entries, purchases, payouts } = books;
  for (const { cause, lines, line_count } of entries) {
    if (lines.length !== line_count) yield `${cause} lacks lines`;
    if (!lines.every(({ amount_cents }) => Number.isSafeInteger(amount_cents))) {
      yield `${cause} is not in whole cents`;
    }
    for (const [currency, own] of Map.groupBy(lines, (line) => line.currency)) {
      if (sum(own) !== 0) yield `${cause} sums to ${sum(own)} ${currency}`;
    }
  }
  const byCause = new Map(entries.map((entry) => [causeOf(entry), entry]));
  if (byCause.size !== entries.length) yield 'something is booked twice';
  for (const entry of earlier?.entries ?? []) {
    if (!isDeepStrictEqual(byCause.get(causeOf(entry)), entry)) yield `${entry.cause} was changed`;
  }

  if (new Set(purchases.map(({ id }) => id)).size !== purchases.length) yield 'two grants of one';
  const ofPurchase = Map.groupBy(entries, ({ purchase_id }) => purchase_id);
  for (const purchase of purchases) {
    const fault = findFaultOfSale(purchase, ofPurchase.get(purchase.id) ?? []);
    if (fault) yield `purchase ${purchase.id} of ${purchase.price_cents} ${fault}`;
  }

  const owed = Map.groupBy(
    entries.flatMap(({ lines }) => lines.filter(of('creator'))),
    ({ owner_id }) => owner_id,
  );
  const kept = new Map(books.balances.map((balance) => [balance.owner_id, balance.balance_cents]));
  for (const owner of new Set([...owed.keys(), ...kept.keys()])) {
    const cents = sum(owed.get(owner) ?? []);
    const balance = kept.get(owner ?? '') ?? 0;
    if (balance !== cents) yield `${owner} is owed ${cents}, and the balance is ${balance}`;
  }

  const due = payouts.flatMap((payout) => {
    const causes = [`payout:${payout.id}`, `payout_reversal:${payout.id}`] as const;
    return payout.state === 'reversed' ? causes : causes.slice(0, 1);
  });
  const booked = entries.filter(({ kind }) => /^payout/.test(kind)).map(({ cause }) => cause);
  if (!isDeepStrictEqual(booked.sort(), due.sort())) yield `booked ${booked}, due ${due}`;
  for (const { id, amount_cents: asked, cost_cents: cost, owner_id: owner } of payouts) {
    const { lines = [] } = byCause.get(`payout:${id}`) ?? {};
    const told = lines.map((line) => [line.account, line.owner_id, line.amount_cents]);
    const right = [
      ...[
        ['creator', owner, -asked],
        ['payout_in_transit', null, asked - cost],
      ],
      ...[['payout_fee', null, cost]],
    ];
    if (!isDeepStrictEqual(told, right)) yield `payout ${id} is booked as ${told}`;
  }

  for (const { kind, payload, last_error } of books.jobs.filter(({ died_at }) => died_at)) {
    yield `${kind} ${payload} was given up: ${last_error}`;
  }
  const awaited = new Set(books.jobs.map(({ payload }) => payload));
  for (const { id, handled_at } of books.events) {
    if (handled_at === null && !awaited.has(JSON.stringify({ eventId: id }))) {
      yield `event ${id} is forgotten`;
    }
  }
}

/** What is sold for nothing has no payment that would tell one sale from another. */
const causeOf = ({ cause, purchase_id }: Entry) =>
  cause === 'sale:none' ? `${cause} ${purchase_id}` : cause;

function findFaultOfSale(purchase: Books['purchases'][number], entries: Entry[]): string | null {
  const { price_cents: price, fee_cents: fee, settled_at, grant_state: grant } = purchase;
  const sales = entries.filter(({ kind }) => kind === 'sale');
  if (settled_at === null) return sales.length === 0 && !grant ? null : 'is sold without payment';
  const told = sales.map(({ lines }) => lines.map((line) => [line.account, line.amount_cents]));
  const right = [
    ['provider', 0 - price],
    ['platform_fee', fee],
    ['creator', price - fee],
  ];
  if (!isDeepStrictEqual(told, [right])) return `is booked as ${told}`;
  if (price === 0) return grant === 'active' ? null : `is ${grant}, and was free`;
  const refunded = sumOf(entries, 'provider', /^refund(_reversal)?$/);
  if (refunded < 0 || refunded > price) return `has ${refunded} refunded`;
  const withheld = -sumOf(entries, 'creator', /^dispute(_reversal)?$/);
  if (refunded === price) return grant === 'ended' ? null : `is ${grant} and fully refunded`;
  const isRight = withheld > 0 ? grant !== 'active' : grant !== 'ended';
  return isRight ? null : `is ${grant}, with ${refunded} refunded and ${withheld} withheld`;
}

/**
 * What of the books is not the provider's. Each entry that moves the account `provider` stands for
 * one transaction there, and says all of it, or of a sale whose cost is not heard of the price
 * alone: so the account is the provider's balance, less what nobody has told the product yet.
 * Nothing is imported for the comparison, because an import makes up for news that was lost.
 * @param isTold whether the product has heard all that concerns its sales
 */
export function* findDifferences(
  books: Books,
  provider: Provider,
  isTold: boolean,
): Generator<string> {
  const moved = new Map(
    books.entries.map(({ cause, lines }) => [cause, 0 - sum(lines.filter(of('provider')))]),
  );
  const booked = sum([...moved.values()].map((amount_cents) => ({ amount_cents })));
  const take = (causes: string[]) => {
    const cents = causes.map((cause) => ({ amount_cents: moved.get(cause) ?? 0 }));
    for (const cause of causes) moved.delete(cause);
    return sum(cents);
  };
  const payments = [...provider.payments().values()];
  const charges = new Map(
    payments.flatMap(({ charge }) => (charge ? [[charge.id, charge] as const] : [])),
  );
  const succeeded = new Set(
    payments
      .flatMap(({ refunds }) => refunds)
      .flatMap(({ id, status }) => (status === 'succeeded' ? id : [])),
  );
  let untold = 0;
  for (const transaction of provider.transactions()) {
    const { id, type, amount, net, source } = transaction;
    const causes = causesOf(transaction, charges);
    const stands = [`balance_transaction:${id}`, `balance_transaction:${id}:matched`];
    const cents = take([...causes, ...stands]);
    // A refund is booked once it has succeeded; one that failed unheard never was.
    const isBooked = causes.length > 0 && (!/^refund/.test(type) || succeeded.has(`${source}`));
    const isDue = books.imported.has(id) || (isTold && isBooked);
    const isPrice = causes.length > 1 && cents === amount;
    if (cents !== net && (isDue || !(cents === 0 || isPrice))) {
      yield `transaction ${id} (${type}) of ${net} is ${cents} in the books`;
    }
    untold += net - cents;
  }
  // The provider has not said yet what these brought.
  for (const { payment_intent, amount, balance_transaction } of charges.values()) {
    if (balance_transaction) continue;
    const cents = take([saleCause({ paymentIntentId: payment_intent as string })]);
    if (cents !== 0 && cents !== amount) yield `${payment_intent} brought ${cents}`;
    untold -= cents;
  }
  for (const [cause, cents] of moved) {
    if (cents !== 0) yield `${cause} moved ${cents} that the provider does not know`;
  }
  if (booked !== provider.balance() - untold) {
    yield `the books have ${booked} at the provider, which has ${provider.balance()}`;
  }
  yield* findWrongPayouts(books, provider);
}

/** The entries of ours that say what a transaction moved. */
function causesOf(
  { id, type, source }: Stripe.BalanceTransaction,
  charges: Map<string, Stripe.Charge>,
): string[] {
  const name = String(source);
  const paymentIntentId = charges.get(name)?.payment_intent as string | undefined;
  if (paymentIntentId) {
    return [saleCause({ paymentIntentId }), processingCostCause({ paymentIntentId })];
  }
  if (type === 'refund') return [refundCause(name)];
  if (type === 'refund_failure') return [refundReversalCause(name)];
  return type === 'adjustment' ? [disputeCause({ disputeId: name, id })] : [];
}

/**
 * Of each payout the provider moves all that arrives, once, or nothing where it is over; what a
 * bank was sent is not booked back; and what is in transit has left the balance and is not there.
 */
function* findWrongPayouts(books: Books, provider: Provider): Generator<string> {
  const transfers = Map.groupBy(provider.transfers(), (transfer) => transfer.transfer_group);
  for (const { id, state, account_id, amount_cents, cost_cents } of books.payouts) {
    const made = transfers.get(id) ?? [];
    const left = made.reduce((cents, one) => cents + one.amount - one.amount_reversed, 0);
    if (made.length > 1 || (left !== 0 && left !== amount_cents - cost_cents)) {
      yield `payout ${id} of ${amount_cents} was transferred ${made.length} times, ${left} in all`;
    }
    const sent = provider
      .payoutsOf(account_id)
      .filter(({ metadata }) => metadata?.payout_id === id);
    const standing = sent.filter(({ status }) => status !== 'failed');
    if (standing.length > 1) yield `payout ${id} was sent ${standing.length} times`;
    const isBack = state === 'reversed';
    if (isBack && (left !== 0 || standing.length > 0)) yield `payout ${id} is back and sent`;
    const isPaid = standing[0]?.status === 'paid';
    if (state === 'paid' && !isPaid) yield `payout ${id} is paid here, and not at the provider`;
  }
  const moved = [...books.imported.values()].filter(({ type }) => /^transfer/.test(type));
  const transferred = moved.reduce((cents, { net_cents }) => cents + net_cents, 0);
  const lines = books.entries.flatMap((entry) => entry.lines);
  const inTransit = sum(lines.filter(of('payout_in_transit')));
  const standing = books.payouts.filter(({ state }) => state !== 'reversed');
  const due = standing.reduce((cents, one) => cents + one.amount_cents - one.cost_cents, 0);
  if (inTransit !== due + transferred) {
    yield `${inTransit} is in transit, of ${due} with ${-transferred} transferred`;
  }
}

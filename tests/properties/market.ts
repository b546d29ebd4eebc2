import { expect } from 'vitest';
import { findBalance } from '../../server/books/ledger/balance.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { DomainError } from '../../server/ground/lib/domain-error.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { readBookedBalance } from '../../server/money/payments/check-provider-books.ts';
import { findWrongPayouts } from '../../server/money/payouts/check-payouts.ts';
import { findPurchasesBySession } from '../../server/selling/purchases/queries.ts';
import {
  type Books,
  creditOf,
  findDifferences,
  findFaults,
  paidOutOf,
  readBooks,
} from './books.ts';
import {
  availableOf,
  type DisputeFee,
  expectedOf,
  feeOf,
  HOLD_MS,
  leftAtProvider,
  type Offer,
} from './model.ts';
import { Killed, type Product, startProduct, TERMS } from './product.ts';
import type { Payment, Provider } from './provider.ts';

const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
const LEASE_MS = 7 * SECOND_MS;

/** How the events that an action led to reach the product. */
export type Arrival =
  | 'in order'
  | 'reversed'
  | 'twice'
  | 'at two processes'
  | 'killed'
  | 'held back'
  | 'lost';

export interface World {
  db: Database;
  provider: Provider;
  /** Moves the clock of everybody on. */
  advance(ms: number): void;
}

export interface Shop {
  id: string;
  links: { id: string; price: number }[];
  /** At the provider, for payouts. */
  account?: string;
  /** A code that takes everything off. */
  code?: string;
  isDeleted: boolean;
}

/** Of the first two, the fee leaves nothing. */
const PRICES = [1, 32, 99, 500, 1000, 1999, 123_457];

/** Creators, their buyers and what happened between them, beside the product that serves them. */
export class Market {
  readonly world: World;
  /** Who pays for disputes. */
  private readonly disputeFee: DisputeFee;
  private readonly name: string;
  readonly shops: Shop[] = [];
  readonly offers: Offer[] = [];
  /** What was had for nothing, and by whom. */
  readonly gratis: Pick<Offer, 'linkId' | 'visitor'>[] = [];
  /** Refunds that somebody asked for at the provider: Padlink makes others by itself. */
  readonly askedRefunds = new Set<string>();
  /** Whether nobody told the product everything. */
  isBehind = false;
  product: Product;
  private skewMs = 0;
  private books: Books | undefined;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
    this.disputeFee = name.endsWith('7') ? 'creator' : 'platform';
    this.product = this.start();
  }

  private start(skewMs = this.skewMs): Product {
    const { db, provider } = this.world;
    const { disputeFee } = this;
    return startProduct({ db, apiUrl: provider.apiUrl, skewMs, disputeFee });
  }

  async open(): Promise<void> {
    // From its first start on, the product knows until when it has read the provider's events.
    await this.product.catchUp();
    for (let shop = 0; shop < 2; shop += 1) await this.openShop(shop);
  }

  async openShop(seed: number): Promise<Shop> {
    const prices = [0, 3].map((step) => PRICES[(seed + step) % PRICES.length] ?? 500);
    const shop = { ...(await this.product.openShop(prices)), isDeleted: false };
    this.shops.push(shop);
    return shop;
  }

  openShops(): Shop[] {
    return this.shops.filter(({ isDeleted }) => !isDeleted);
  }

  skew(ms: number): void {
    this.skewMs = ms;
    this.product = this.start();
  }

  /** The killed process is followed by another one, after the leases of the first ran out. */
  restart(): void {
    this.world.advance(LEASE_MS);
    this.product = this.start();
  }

  /** Lets a process be killed after so many questions to database and provider, then goes on. */
  async survive(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.product.isDead) throw error;
    }
    if (this.product.isDead) this.restart();
    else this.product.dieAfter(Number.POSITIVE_INFINITY);
  }

  payments(): { offer: Offer; payment: Payment }[] {
    const payments = this.world.provider.payments();
    return this.offers.flatMap((offer) => {
      const payment = payments.get(offer.sessionId);
      return payment ? { offer, payment } : [];
    });
  }

  private choose(seed: number, from?: Shop) {
    const shops = this.openShops();
    const shop = from ?? (shops[seed % shops.length] as Shop);
    const link = shop.links[(seed >> 1) % 2] as Shop['links'][0];
    return { shop, link, visitor: `${this.name}-${(seed >> 2) % 5}` };
  }

  /** Uses a code that takes everything off, at which the product may be killed. @returns whether it was of use */
  async takeForNothing(seed: number): Promise<boolean> {
    const { shop, link, visitor } = this.choose(seed);
    if (!shop.code) {
      await this.product.giveAway(shop.id, 'GIVEN');
      shop.code = 'GIVEN';
    }
    const before = await this.countGratis();
    if (seed % 4 === 0) this.product.dieAfter(1 + (seed % 30));
    await this.survive(() =>
      this.product
        .checkOut(link.id, visitor, null, shop.code)
        .catch((error: unknown) => refusedWith(error, 'ACCESS_SUSPENDED', 'CHECKOUT_UNAVAILABLE')),
    );
    const isTaken = (await this.countGratis()) > before;
    if (isTaken) this.gratis.push({ linkId: link.id, visitor });
    return isTaken;
  }

  private async countGratis(): Promise<number> {
    return (await readBooks(this.world.db)).purchases.filter(isGratis).length;
  }

  /** @returns the session; undefined where nothing is offered */
  async checkOut(seed: number, from?: Shop, isGift = false): Promise<Offer | undefined> {
    const { shop, link, visitor } = this.choose(seed, from);
    const offer = await this.product
      .checkOut(link.id, visitor, isGift ? { email: `${seed}@example.com`, message: null } : null)
      .catch((error: unknown) =>
        refusedWith(error, 'ACCESS_SUSPENDED', 'CHECKOUT_UNAVAILABLE', 'GIFT_REFUSED'),
      );
    const sessionId = /checkout\/(cs_\w+)/.exec(
      (offer?.kind === 'checkout' && offer.url) || '',
    )?.[1];
    if (!sessionId) return undefined;
    const known = this.offers.find((one) => one.sessionId === sessionId);
    if (known) return known;
    const begun = {
      sessionId,
      visitor,
      isGift,
      sellerId: shop.id,
      linkId: link.id,
      priceCents: link.price,
    };
    this.offers.push(begun);
    return begun;
  }

  async arrive(how: Arrival, seed: number): Promise<void> {
    const { provider } = this.world;
    const waiting = provider.waitingEvents();
    if (how === 'lost') {
      for (const event of waiting) provider.forget(event);
      this.isBehind ||= waiting.length > 0;
    }
    if (how === 'killed') {
      this.product.dieAfter(1 + (seed % 60));
      await this.survive(() => this.hear(waiting));
      return this.hear(provider.waitingEvents());
    }
    if (how === 'reversed') return this.hear(waiting.toReversed());
    if (how === 'in order') return this.hear(waiting);
    if (how === 'twice') {
      await this.hear(waiting);
      return this.hear([...waiting, ...provider.oldEvents()].slice(0, 20));
    }
    if (how === 'at two processes') {
      const other = this.start(-this.skewMs);
      await Promise.all([
        ...waiting.map((event, at) => (at % 2 ? other : this.product).receive(event)),
        ...waiting.slice(0, 4).map((event) => other.receive(event)),
      ]);
      for (const event of waiting) provider.forget(event);
      await Promise.all([other.runJobs(), this.product.runJobs()]);
    }
    return this.product.runJobs();
  }

  private async hear(events: { id: string }[]): Promise<void> {
    for (const event of events) {
      await this.product.receive(event);
      this.world.provider.forget(event);
    }
    await this.product.runJobs();
    if (this.product.isDead) throw new Killed();
  }

  /** What the next reconciliation finds. */
  async catchUp(): Promise<void> {
    this.world.advance(2 * HOUR_MS);
    await this.product.catchUp();
    await this.arrive('in order', 0);
    await this.product.importBooks();
    await this.product.runJobs();
    await this.arrive('in order', 0);
    this.isBehind = false;
  }

  get isSettled(): boolean {
    return !this.isBehind && this.world.provider.waitingEvents().length === 0;
  }

  /**
   * What has to be true after every step, whatever the product has heard by then, and what once it
   * has heard everything. Nothing is imported for it: see findDifferences.
   */
  async check(): Promise<void> {
    const { db, provider } = this.world;
    const books = await readBooks(db);
    expect([
      ...findFaults(books, this.books),
      ...findDifferences(books, provider, this.isSettled),
    ]).toEqual([]);
    this.books = books;
    const bySession = new Map(books.purchases.map((row) => [row.session_id, row]));
    const payments = this.payments();
    const sold = new Map<string, Parameters<typeof availableOf>[0]>();
    for (const { offer, payment } of payments) {
      const row = bySession.get(offer.sessionId);
      expect(row).toMatchObject({
        price_cents: offer.priceCents,
        fee_cents: feeOf(offer.priceCents),
      });
      if (!row) continue;
      const reserveCents = row.reserve ?? 0;
      const creatorCents = creditOf(books, row.id);
      if (this.isSettled) {
        const { state, grant_state: grant } = row;
        expect({ state, grant, creatorCents, reserveCents }).toEqual(
          expectedOf(offer, payment, this.disputeFee),
        );
        this.checkRefunds(offer, payment, payments);
      }
      if (row.settled_at === null) continue;
      expect(payment.session.payment_status).toBe('paid');
      const sales = sold.get(offer.sellerId) ?? [];
      sold.set(offer.sellerId, [...sales, { creatorCents, reserveCents, soldAt: row.settled_at }]);
    }
    this.checkGratis(books);
    this.checkAskedRefunds(books, payments);
    for (const { id } of this.shops) await this.checkBalance(id, books, sold.get(id) ?? []);
    if (!this.isSettled) return;
    expect(books.events.filter(({ handled_at }) => handled_at === null)).toEqual([]);
    expect(books.refunds.filter(({ state }) => state === 'requested')).toEqual([]);
  }

  /** What was had for nothing is the buyer's, once, and costs nobody anything. */
  private checkGratis({ purchases }: Books): void {
    const had = purchases.filter(isGratis);
    const own = had.map(({ link_id, claim_hash }) => `${link_id} ${claim_hash}`);
    expect(own.toSorted()).toEqual(
      this.gratis.map(({ linkId, visitor }) => `${linkId} ${visitor}`).toSorted(),
    );
    expect(new Set(own).size).toBe(own.length);
    for (const { price_cents, fee_cents, state, grant_state } of had) {
      expect({ price_cents, fee_cents, state, grant_state }).toEqual({
        price_cents: 0,
        fee_cents: 0,
        state: 'settled',
        grant_state: 'active',
      });
    }
  }

  /** What was asked for in the product is refunded once, and as much as was asked for. */
  private checkAskedRefunds({ refunds }: Books, payments: ReturnType<Market['payments']>): void {
    const made = payments.flatMap(({ payment }) => payment.refunds);
    const named = made.flatMap(({ amount, metadata }) =>
      metadata?.refund_id ? { id: metadata.refund_id, amount } : [],
    );
    const asked = new Map(refunds.map(({ id, amount_cents }) => [id, amount_cents]));
    expect(new Set(named.map(({ id }) => id)).size).toBe(named.length);
    expect(named).toEqual(named.map(({ id }) => ({ id, amount: asked.get(id) })));
  }

  /** One payment of a visitor for a link stands unless they have it for nothing, and nobody gave back what nobody asked for. */
  private checkRefunds(
    { linkId, visitor, isGift, sellerId }: Offer,
    { refunds }: Payment,
    payments: ReturnType<Market['payments']>,
  ): void {
    const own = refunds.filter(
      ({ id, metadata }) => !this.askedRefunds.has(id) && !metadata?.refund_id,
    );
    if (own.length === 0) return;
    const isLeft = this.shops.some(({ id, isDeleted }) => id === sellerId && isDeleted);
    const rivals = payments.filter(
      ({ offer, payment }) =>
        offer.linkId === linkId &&
        offer.visitor === visitor &&
        !offer.isGift &&
        payment.session.payment_status === 'paid',
    );
    const isGratis = this.gratis.some((one) => one.linkId === linkId && one.visitor === visitor);
    const isTwice = !isGift && (isGratis || rivals.length > 1);
    expect({ own: own.length, explained: isLeft || isTwice }).toEqual({
      own: 1,
      explained: true,
    });
  }

  /**
   * Nobody may be paid more than what the provider still has of their sales: by the books at any
   * moment, and in truth once everything was heard.
   */
  private async checkBalance(
    id: string,
    books: Books,
    sales: Parameters<typeof availableOf>[0],
  ): Promise<void> {
    const now = this.product.now();
    const paidOut = paidOutOf(books, id);
    const balance = await findBalance(
      this.world.db,
      { ownerId: id, mode: 'test', holdMs: HOLD_MS },
      now,
    );
    const owed = sales.reduce((total, { creatorCents }) => total + creatorCents, 0);
    const available = balance?.availableCents ?? 0;
    expect({ owed: balance?.balanceCents ?? 0, available }).toEqual({
      owed: owed - paidOut,
      available: availableOf(sales, paidOut, now),
    });
    const atProvider = this.isSettled
      ? this.payments()
          .filter(({ offer }) => offer.sellerId === id)
          .reduce((total, { payment }) => total + leftAtProvider(payment), 0)
      : leftByBooks(books, id);
    expect(available).toBeLessThanOrEqual(Math.max(0, atProvider - paidOut));
  }

  /** Asks for a payout. @returns its id; undefined where it is refused */
  async askForPayout({ id: ownerId }: Shop, amountCents: number): Promise<string | undefined> {
    const before = await this.product.readMoney(ownerId);
    const payout = await this.product
      .askForPayout(ownerId, amountCents)
      .catch((error: unknown) => refusedWith(error, 'PAYOUT_REFUSED'));
    const may = before.obstacle === null && amountCents <= before.availableCents;
    const isAllowed = may && before.balanceCents >= 0 && amountCents >= TERMS.minimumCents;
    expect({ amountCents, isAsked: payout !== undefined }).toEqual({
      amountCents,
      isAsked: isAllowed,
    });
    return payout?.id;
  }

  async findPurchase(sessionId: string): Promise<string> {
    const [purchase] = await findPurchasesBySession(this.world.db, sessionId);
    if (!purchase) throw new Error(`Nobody began ${sessionId}`);
    return purchase.id;
  }

  readPayouts() {
    return this.world.db.selectFrom('payout').selectAll().execute();
  }

  /** After a review: what the provider says now may not be overwritten by an older answer. */
  async expectReviewed({ sessionId, ...offer }: Offer): Promise<void> {
    const books = await readBooks(this.world.db);
    const row = books.purchases.find((purchase) => purchase.session_id === sessionId);
    const payment = this.world.provider.payments().get(sessionId) as Payment;
    const { grant, creatorCents } = expectedOf({ sessionId, ...offer }, payment, this.disputeFee);
    expect({ grant: row?.grant_state, creatorCents: creditOf(books, row?.id ?? '') }).toEqual({
      grant,
      creatorCents,
    });
  }

  /** The product's own check of all its books. */
  async checkBooks(): Promise<void> {
    const { db } = this.world;
    const faults = [...(await checkLedger(db)), ...(await findWrongPayouts(db))];
    expect(faults.filter((fault) => !isExpected(fault))).toEqual([]);
  }

  /** Brings everything to its end: then the provider's books and ours are the same. */
  async close(): Promise<void> {
    const { db, provider } = this.world;
    for (const task of provider.tasks()) if (task.task !== 'expire_session') provider.perform(task);
    for (const { payment } of this.payments()) {
      if (payment.charge?.paid) provider.reportCost(payment.charge);
    }
    await this.catchUp();
    await this.check();
    await this.checkBooks();
    const booked = await readBookedBalance(db, { mode: 'test', account: 'sandbox' });
    expect(booked.get('usd') ?? 0).toBe(provider.balance());
  }
}

/** What was settled, and never offered at the provider. */
const isGratis = ({ session_id, settled_at }: Books['purchases'][number]) =>
  session_id === null && settled_at !== null;

/** What the provider has of a creator's sales by our books, before its own costs. */
function leftByBooks({ entries, purchases }: Books, ownerId: string): number {
  const own = new Set(purchases.flatMap(({ id, seller_id }) => (seller_id === ownerId ? id : [])));
  const lines = entries
    .filter(({ purchase_id }) => own.has(purchase_id ?? ''))
    .flatMap((entry) => entry.lines);
  const counted = lines.filter(({ account }) =>
    ['provider', 'processing_cost', 'dispute_fee'].includes(account),
  );
  return 0 - counted.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
}

/** What the check names although nothing is wrong: it is for a person to decide. */
const isExpected = (fault: string) => fault.startsWith('The deleted account ');

/** For what the product may refuse; everything else is a fault. */
export function refusedWith(error: unknown, ...codes: string[]): undefined {
  if (error instanceof DomainError && codes.includes(error.code)) return undefined;
  throw error;
}

import { expect } from 'vitest';
import type { Database } from '../../server/database/tables.ts';
import { findBalance } from '../../server/ledger/balance.ts';
import { DomainError } from '../../server/lib/domain-error.ts';
import { checkLedger } from '../../server/payments/check-ledger.ts';
import {
  availableOf,
  type DisputeFee,
  expectedOf,
  feeOf,
  HOLD_MS,
  leftAtProvider,
  type Offer,
} from './model.ts';
import { Killed, type Product, startProduct } from './product.ts';
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

interface Shop {
  id: string;
  links: { id: string; price: number }[];
  isDeleted: boolean;
}

const PRICES = [50, 99, 500, 777, 1000, 1999, 123_457];

/** Creators, their buyers and what happened between them, beside the product that serves them. */
export class Market {
  readonly world: World;
  /** Who pays for disputes. */
  private readonly disputeFee: DisputeFee;
  private readonly name: string;
  readonly shops: Shop[] = [];
  readonly offers: Offer[] = [];
  /** Refunds that somebody asked for: Padlink makes others by itself. */
  readonly askedRefunds = new Set<string>();
  /** Whether nobody told the product everything. */
  isBehind = false;
  product: Product;
  private skewMs = 0;

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
    for (let shop = 0; shop < 2; shop += 1) await this.openShop(shop);
  }

  async openShop(seed: number): Promise<void> {
    const prices = [0, 3].map((step) => PRICES[(seed + step) % PRICES.length] ?? 500);
    this.shops.push({ ...(await this.product.openShop(prices)), isDeleted: false });
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
    return this.offers.map((offer) => ({
      offer,
      payment: this.world.provider.read(offer.sessionId),
    }));
  }

  /** @returns the session; undefined where nothing is offered */
  async checkOut(seed: number): Promise<Offer | undefined> {
    const shops = this.shops.filter(({ isDeleted }) => !isDeleted);
    const shop = shops[seed % shops.length] as Shop;
    const link = shop.links[(seed >> 1) % 2] as Shop['links'][0];
    const visitor = `${this.name}-${(seed >> 2) % 5}`;
    const offer = await this.product
      .checkOut(link.id, visitor)
      .catch((error: unknown) => refusedWith(error, 'ACCESS_SUSPENDED', 'CHECKOUT_UNAVAILABLE'));
    const sessionId = /checkout\/(cs_\w+)/.exec(
      (offer?.kind === 'checkout' && offer.url) || '',
    )?.[1];
    if (!sessionId) return undefined;
    const known = this.offers.find((one) => one.sessionId === sessionId);
    if (known) return known;
    const begun = {
      ...{ sessionId, visitor, sellerId: shop.id, linkId: link.id, priceCents: link.price },
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

  /** What has to be true after every step, and what once everything was heard. */
  async check(): Promise<void> {
    const { db } = this.world;
    const rows = await this.readPurchases();
    const bySession = new Map(rows.map((row) => [row.session_id, row]));
    const payments = this.payments();
    const sold = new Map<string, Parameters<typeof availableOf>[0]>();
    for (const { offer, payment } of payments) {
      const row = bySession.get(offer.sessionId);
      const expected = expectedOf(offer, payment, this.disputeFee);
      const isSold = row?.settled_at != null;
      expect(row).toMatchObject({
        price_cents: offer.priceCents,
        fee_cents: feeOf(offer.priceCents),
        grants: isSold ? 1 : 0,
      });
      if (isSold) expect(payment.session.payment_status).toBe('paid');
      if (this.isSettled) {
        expect({ session: offer.sessionId, ...row }).toMatchObject({
          state: expected.state,
          grant_state: expected.grant,
          creator: expected.creatorCents,
          reserve: expected.reserveCents,
        });
        this.checkRefunds(offer, payment, payments);
      }
      const found = { creatorCents: row?.creator ?? 0, reserveCents: row?.reserve ?? 0 };
      if (row?.settled_at != null) {
        const sales = sold.get(offer.sellerId) ?? [];
        sold.set(offer.sellerId, [...sales, { ...found, soldAt: row.settled_at }]);
      }
    }
    for (const { id } of this.shops) await this.checkBalance(id, sold.get(id) ?? [], payments);
    if (this.isSettled) {
      const dead = await db
        .selectFrom('job')
        .where('died_at', 'is not', null)
        .selectAll()
        .execute();
      expect(dead).toEqual([]);
      const unheard = db.selectFrom('webhook_event').where('handled_at', 'is', null);
      expect(await unheard.select('id').execute()).toEqual([]);
    }
  }

  /** One payment of a visitor for a link stands, and nobody gave back what nobody asked for. */
  private checkRefunds(
    { linkId, visitor, sellerId }: Offer,
    { refunds }: Payment,
    payments: ReturnType<Market['payments']>,
  ): void {
    const own = refunds.filter(({ id }) => !this.askedRefunds.has(id));
    if (own.length === 0) return;
    const isLeft = this.shops.some(({ id, isDeleted }) => id === sellerId && isDeleted);
    const rivals = payments.filter(
      ({ offer, payment }) =>
        offer.linkId === linkId &&
        offer.visitor === visitor &&
        payment.session.payment_status === 'paid',
    );
    expect({ own: own.length, explained: isLeft || rivals.length > 1 }).toEqual({
      ...{ own: 1, explained: true },
    });
  }

  private async checkBalance(
    id: string,
    sales: Parameters<typeof availableOf>[0],
    payments: ReturnType<Market['payments']>,
  ): Promise<void> {
    const now = this.product.now();
    const balance = await findBalance(
      this.world.db,
      { ownerId: id, mode: 'test', holdMs: HOLD_MS },
      now,
    );
    const owed = sales.reduce((total, { creatorCents }) => total + creatorCents, 0);
    expect(balance?.balanceCents ?? 0).toBe(owed);
    expect(balance?.availableCents ?? 0).toBe(availableOf(sales, 0, now));
    if (!this.isSettled) return;
    const atProvider = payments
      .filter(({ offer }) => offer.sellerId === id)
      .reduce((total, { payment }) => total + leftAtProvider(payment), 0);
    expect(balance?.availableCents ?? 0).toBeLessThanOrEqual(Math.max(0, atProvider));
  }

  /** After a review: what the provider says now may not be overwritten by an older answer. */
  async expectReviewed(offer: Offer): Promise<void> {
    const purchases = await this.readPurchases();
    const purchase = purchases.find(({ session_id }) => session_id === offer.sessionId);
    const payment = this.world.provider.read(offer.sessionId);
    const { grant, creatorCents } = expectedOf(offer, payment, this.disputeFee);
    expect(purchase).toMatchObject({ grant_state: grant, creator: creatorCents });
  }

  private async readPurchases() {
    const rows = await this.world.db
      .selectFrom('purchase')
      .where(
        'seller_id',
        'in',
        this.shops.map(({ id }) => id),
      )
      .leftJoin('reserve', 'reserve.purchase_id', 'purchase.id')
      .select(['purchase.id', 'session_id', 'state', 'price_cents', 'fee_cents', 'settled_at'])
      .select(['refunded_because', 'reserve.amount_cents as reserve'])
      .select(({ selectFrom }) => [
        selectFrom('access_grant')
          .whereRef('purchase_id', '=', 'purchase.id')
          .select(({ fn }) => fn.countAll<number | string>().as('grants'))
          .as('grants'),
        selectFrom('access_grant')
          .whereRef('purchase_id', '=', 'purchase.id')
          .select(({ fn }) => fn.min('access_grant.state').as('state'))
          .as('grant_state'),
        selectFrom('ledger_entry')
          .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
          .whereRef('ledger_entry.purchase_id', '=', 'purchase.id')
          .where('ledger_line.owner_id', 'is not', null)
          .select(({ fn }) => fn.sum<number | string>('amount_cents').as('cents'))
          .as('creator'),
      ])
      .execute();
    return rows.map((row) => ({
      ...row,
      grants: Number(row.grants),
      creator: Number(row.creator ?? 0),
      reserve: row.reserve ?? 0,
    }));
  }

  /** The product's own check of all its books. */
  async checkBooks(): Promise<void> {
    const faults = await checkLedger(this.world.db);
    expect(faults.filter((fault) => !isExpected(fault))).toEqual([]);
  }

  /** After everything: the provider's books and ours are the same. */
  async close(): Promise<void> {
    const { db, provider } = this.world;
    for (const task of provider.tasks()) if (task.task !== 'expire_session') provider.perform(task);
    for (const { payment } of this.payments()) {
      if (payment.charge?.paid) provider.reportCost(payment.charge);
    }
    await this.catchUp();
    await this.check();
    await this.checkBooks();
    const { cents } = await db
      .selectFrom('ledger_line')
      .where('account', '=', 'provider')
      .select(({ fn }) => fn.sum<number | string | null>('amount_cents').as('cents'))
      .executeTakeFirstOrThrow();
    expect(0 - Number(cents ?? 0)).toBe(provider.balance());
  }
}

/** What the check names although nothing is wrong: it is for a person to decide. */
const isExpected = (fault: string) => fault.startsWith('The deleted account ');

/** For what the product may refuse; everything else is a fault. */
export function refusedWith(error: unknown, ...codes: string[]): undefined {
  if (error instanceof DomainError && codes.includes(error.code)) return undefined;
  throw error;
}

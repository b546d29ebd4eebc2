import { sql } from 'kysely';
import { nameLink } from '../../contract/name-link.ts';
import { readInstallationId } from '../installation/match-installation.ts';
import { wholeOf } from '../lib/cart-parts.ts';
import { enqueue } from '../outbox/jobs.ts';
import { beginCart, type Offered } from '../payments/begin-purchase.ts';
import { CheckoutInProgressError } from '../payments/card-provider.ts';
import { type CheckoutContext, type CheckoutParty, closeCheckout } from '../payments/context.ts';
import { notePurchase } from '../payments/lost-purchase.ts';
import { findCart } from '../payments/queries.ts';
import type { Purchase } from '../payments/tables.ts';
import { type Cart, type CartOwner, readCart, visitorOf } from './cart.ts';
import {
  findUnfinished,
  isOfferable,
  MAX_ATTEMPTS,
  type Unfinished,
  unavailable,
} from './start-checkout.ts';

type CartOffer =
  /** url: the provider's hosted page; null when the provider gave none. */
  | { kind: 'checkout'; url: string | null }
  /** It is not what the buyer was shown, or nothing in it can be paid for. */
  | { kind: 'changed' };

interface CartCheckout {
  owner: CartOwner;
  device: CheckoutParty['device'];
  /** What the buyer was shown, as `tellSeen` wrote it. */
  seen: string;
}

/** What a cart's page shows of what is to be paid: whoever pays has seen just that. */
export const tellSeen = ({ payable }: Cart): string =>
  payable.map(({ link, quote }) => `${link.id}:${quote.agreedCents}`).join(' ');

/**
 * Begins the purchases of all that can be bought in a cart, to be paid at once, and answers where. A
 * cart that is open already is offered again while it fits; any other checkout of one of its links
 * ends at the provider before this one begins.
 * @throws DomainError NOT_ON_SALE, DISCOUNT_REFUSED, CHECKOUT_UNAVAILABLE
 */
export async function checkOutCart(
  context: CheckoutContext,
  input: CartCheckout,
): Promise<CartOffer> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const offer = await tryCart(context, input);
    if (offer) return offer;
  }
  return unavailable(new Error('Parallel checkouts of one visitor keep replacing each other'));
}

/** @returns null when another request of the visitor changed what this one had read */
async function tryCart(
  context: CheckoutContext,
  { owner, device, seen }: CartCheckout,
): Promise<CartOffer | null> {
  const { db, provider, publicUrl } = context;
  const unfinishedOf = new Map<string, Unfinished[]>();
  const cart = await readCart(context, owner);
  const { payable } = cart;
  for (const { link } of payable) {
    unfinishedOf.set(link.id, await findUnfinished(db, visitorOf(owner, link.id)));
  }
  if (payable.length === 0 || tellSeen(cart) !== seen) return { kind: 'changed' };
  const account = await provider.account().catch(unavailable);
  const unfinished = [...unfinishedOf.values()].flat();
  const underWay = unfinished.find(
    (purchase) =>
      purchase.state === 'processing' &&
      purchase.provider_account === account &&
      purchase.gift_email === null,
  );
  if (underWay?.session_id) {
    const sessionId = wholeOf(underWay.session_id);
    return { kind: 'checkout', url: `${publicUrl}/success?session_id=${sessionId}` };
  }
  const partyOf = ({ link }: Offered) => ({
    ...{ viewer: owner, device, account, visitor: visitorOf(owner, link.id) },
  });
  const open = unfinished.filter(({ state }) => state === 'open');
  const offerable = await findOfferable(context, payable, open, partyOf);
  const others = open.filter(({ cart_id }) => cart_id === null || cart_id !== offerable);
  if (!(await supersedeAll(context, others))) return null;
  const [first] = payable;
  if (!first) return { kind: 'changed' };
  const purchases = offerable
    ? open.filter(({ cart_id }) => cart_id === offerable).sort(byLine)
    : await beginCart(context, payable, partyOf(first));
  if (!purchases) return null;
  const url = await openSession(context, owner, payable, purchases).catch(unavailable);
  return { kind: 'checkout', url };
}

const byLine = (a: Purchase, b: Purchase) => (a.cart_line ?? 0) - (b.cart_line ?? 0);

/** The open cart that is paid for just these lines, if there is one. */
async function findOfferable(
  context: CheckoutContext,
  payable: Offered[],
  open: Unfinished[],
  partyOf: (
    line: Offered,
  ) => Parameters<typeof isOfferable>[2] extends infer Party
    ? Omit<Party, 'link' | 'quote'>
    : never,
): Promise<string | undefined> {
  const ids = new Set(open.flatMap(({ cart_id }) => cart_id ?? []));
  for (const id of ids) {
    // With those of its lines that are in the cart no more.
    const lines = await findCart(context.db, id);
    if (lines.length !== payable.length) continue;
    const isWhole = payable.every((line) => {
      const purchase = open.find((one) => one.cart_id === id && one.link_id === line.link.id);
      return (
        purchase !== undefined &&
        purchase.fee_cents === line.quote.feeCents &&
        isOfferable(context, purchase, { ...partyOf(line), ...line })
      );
    });
    if (isWhole) return id;
  }
  return undefined;
}

/** Ends them at the provider, and here. @returns whether nobody had paid, or changed, one of them */
async function supersedeAll(context: CheckoutContext, purchases: Unfinished[]): Promise<boolean> {
  const sessions = new Set(purchases.flatMap(({ session_id }) => session_id ?? []).map(wholeOf));
  for (const sessionId of sessions) {
    const closed = await closeCheckout(context, sessionId).catch(unavailable);
    if (closed?.state === 'settled' || closed?.state === 'processing') return false;
  }
  const ids = purchases.map(({ id }) => id);
  if (ids.length === 0) return true;
  await context.db
    .updateTable('purchase')
    .set({ state: 'expired' })
    .where('id', 'in', ids)
    .where('state', '=', 'open')
    .execute();
  const left = await context.db
    .selectFrom('purchase')
    .where('id', 'in', ids)
    .where('state', 'in', ['settled', 'processing'])
    .select('id')
    .executeTakeFirst();
  return left === undefined;
}

/**
 * Where an open cart is paid. The cart names its session by the idempotency key, as a purchase does.
 * @throws whatever kept the provider from opening it
 */
async function openSession(
  context: CheckoutContext,
  owner: CartOwner,
  payable: Offered[],
  purchases: Purchase[],
): Promise<string | null> {
  const { db, provider, publicUrl } = context;
  const [first] = purchases;
  const cartId = first?.cart_id;
  if (!first || !cartId) throw new Error('A cart has no lines');
  if (first.session_id) return first.checkout_url;
  const links = new Map(payable.map(({ link }) => [link.id, link]));
  const lines = [];
  for (const purchase of purchases) {
    const link = links.get(purchase.link_id);
    if (!link) throw new Error('A line of a cart has no link');
    const title = nameLink({ id: link.id, title: purchase.title });
    lines.push({ title, ...(await notePurchase(db, link, purchase)) });
  }
  const session = await provider
    .createCheckout({
      cartId,
      installationId: await readInstallationId(db),
      lines,
      taxed: first.taxed === 1,
      currency: first.currency,
      buyerEmail: owner.user?.email ?? null,
      successUrl: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${publicUrl}/cart`,
      expiresAt: first.expires_at,
      idempotencyKey: `checkout-cart-${cartId}-1`,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof CheckoutInProgressError)) await markFailed(context, cartId);
      throw error;
    });
  const kept = await db
    .updateTable('purchase')
    .set({
      session_id: sql<string>`cast(${`${session.id}:`} as text) || cart_line`,
      checkout_url: session.url,
    })
    .where('cart_id', '=', cartId)
    .where('state', 'in', ['open', 'processing', 'settled'])
    .returning('id')
    .execute();
  if (kept.length === purchases.length) return session.url;
  await enqueue(db, 'expire-checkout', { sessionId: session.id }, context.now());
  throw new Error(`Cart ${cartId} ended before its checkout started`);
}

async function markFailed({ db }: CheckoutContext, cartId: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({ state: 'failed' })
    .where('cart_id', '=', cartId)
    .where('state', '=', 'open')
    .where('session_id', 'is', null)
    .execute();
}

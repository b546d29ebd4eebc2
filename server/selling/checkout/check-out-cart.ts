import { fact } from '../../../contract/fact.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { CheckoutContext, CheckoutParty } from '../purchases/context.ts';
import { visitorOf } from '../purchases/queries.ts';
import { type Cart, type CartOwner, readCart } from './cart.ts';
import {
  findUnderWay,
  findUnfinished,
  type Opened,
  openCheckout,
  type Unfinished,
  unavailable,
  untilUndisturbed,
} from './open-checkout.ts';

type CartOffer =
  | Opened
  /** It is not what the buyer was shown, or nothing in it can be paid for. */
  | { kind: 'changed' };

interface CartCheckout {
  owner: CartOwner;
  device: CheckoutParty['device'];
  /** What the buyer was shown, as `tellSeen` wrote it. */
  seen: string;
}

/** What a cart's page shows of what is to be paid: whoever pays has seen just that. */
export const tellSeen = ({ payable }: Pick<Cart, 'payable'>): string =>
  payable.map(({ link, quote }) => `${link.id}:${quote.agreedCents}`).join(' ');

/**
 * Begins the purchases of all that can be bought in a cart, to be paid at once, and answers where. A
 * cart that is open already is offered again while it fits; any other checkout of one of its links
 * ends at the provider before this one begins. What a code makes free is theirs at once, whether they
 * pay for the rest or not.
 * @throws DomainError NOT_ON_SALE, DISCOUNT_REFUSED, CHECKOUT_UNAVAILABLE
 */
export async function checkOutCart(
  context: CheckoutContext,
  input: CartCheckout,
): Promise<CartOffer> {
  return untilUndisturbed(() => tryCart(context, input));
}

/** @returns null when another request of the visitor changed what this one had read */
async function tryCart(
  context: CheckoutContext,
  { owner, device, seen }: CartCheckout,
): Promise<CartOffer | null> {
  const { db, provider } = context;
  const cart = await readCart(context, owner);
  const unfinished: Unfinished[] = [];
  for (const { link } of cart.payable) {
    unfinished.push(...(await findUnfinished(db, visitorOf(owner, link.id))));
  }
  const [first] = cart.payable;
  if (!first || tellSeen(cart) !== seen) return { kind: 'changed' };
  const account = await provider.account().catch(unavailable);
  const underWay = findUnderWay(context, unfinished, { account, gift: null });
  if (underWay !== null) return { kind: 'checkout', url: underWay };
  const party = { viewer: owner, visitor: visitorOf(owner, first.link.id), device, account };
  const { free = [], paid = [] } = Object.groupBy(cart.payable, ({ quote }) =>
    quote.agreedCents === 0 ? 'free' : 'paid',
  );
  if (free.length === 0) return openCheckout(context, { lines: paid, party, unfinished });
  const ids = new Set(free.map(({ link }) => link.id));
  const ofFree = unfinished.filter(({ link_id }) => ids.has(link_id));
  const taken = await openCheckout(context, { lines: free, party, unfinished: ofFree });
  if (!taken || paid.length === 0) return taken;
  const rest = { owner, device, seen: tellSeen({ payable: paid }) };
  return checkOutCart(context, rest).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    const why = fact('{why} What was free is among your purchases.', { why: error.said });
    throw new DomainError(error.code, why, { cause: error });
  });
}

import { randomBytes } from 'node:crypto';
import { TEXTS } from '../../../contract/texts.ts';
import { findOwnLink } from '../../catalog/links/queries.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { GUEST, type User } from '../../ground/lib/viewer.ts';
import { findNamedLinks } from '../discounts/named-links.ts';
import { beginPurchases } from '../purchases/begin-purchase.ts';
import type { CheckoutContext } from '../purchases/context.ts';
import { readGift, refusedGift, requireGiftsLeft } from '../purchases/gifts.ts';
import { unavailable, untilUndisturbed } from './open-checkout.ts';
import { requireOnSale } from './start-checkout.ts';

interface Context extends CheckoutContext {
  limits: { take(name: 'linksGiven', giverId: string): Promise<unknown> };
}

export interface GivenLink {
  giver: User;
  /** The giver's network address. */
  address: string;
  /** The link's id or address, as it was typed. */
  named: string;
  /** As it was typed. */
  recipient: { email: string; message?: string | null | undefined };
}

/**
 * Gives somebody a link of the giver's own, for nothing: a purchase of $0 that is a gift, with all that
 * a paid one has. Its recipient is mailed the personal link, and the giver the receipt.
 * @throws DomainError INVALID_INPUT for what is no link of theirs, GIFT_REFUSED, RATE_LIMITED, and what
 * `requireOnSale` and `beginPurchases` throw
 */
export async function giveLink(
  context: Context,
  { giver, address, named, recipient }: GivenLink,
): Promise<void> {
  const { db, limits, now, provider } = context;
  const gift = readGift(recipient);
  const [id = ''] = await findNamedLinks(db, giver.id, [named.trim()]);
  await limits.take('linksGiven', giver.id);
  const viewer = { ...GUEST, user: giver };
  // No browser holds it.
  const visitor = { link_id: id, claim_hash: randomBytes(32).toString('hex'), buyer_id: giver.id };
  const device = {
    address,
    browser: '',
    language: giver.language,
    visit: { address, agent: '' },
  };
  const account = await provider.account().catch(unavailable);
  await untilUndisturbed(async () => {
    const link = await findOwnLink(db, { kind: 'creator', userId: giver.id }, id);
    if (link.taken_down_at !== null) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    await requireOnSale(context, viewer, link, true);
    if (link.unlocked) {
      throw refusedGift('Anyone can open this link for free. Send them its address instead.');
    }
    await requireGiftsLeft(db, gift, visitor, now());
    const offered = {
      link,
      quote: {
        listCents: link.price_cents,
        agreedCents: 0,
        discount: null,
        feeCents: 0,
        netCents: 0,
        taxed: false,
        currency: 'usd',
      },
      source: 'direct',
      gift,
    } as const;
    const party = { viewer, visitor, device, account };
    // Its giver did not look at the page.
    const views = { ofCheckout: () => 0 };
    return (await beginPurchases({ ...context, views }, [offered], party)) ?? null;
  });
}

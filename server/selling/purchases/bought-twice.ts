import { type Expression, type SqlBool, sql } from 'kysely';
import { mailboxOf } from '../../ground/database/mailbox-of.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { refundableCents } from './refundable-cents.ts';

/** For so long after its payment, a purchase of what was bought before can be given back. */
const RETURNABLE_MS = DAY_MS;

/** A purchase of the same link that the address that paid had before; its payment stands. */
export interface EarlierPurchase {
  purchaseId: string;
  grantId: string;
  /** UTC milliseconds. */
  paidAt: number;
}

/**
 * What the address that paid for a purchase had bought before: the same link, in another browser. Of
 * the same browser or account, the second payment goes back by itself. A gift is neither.
 */
export async function findEarlier(
  db: Database,
  purchaseId: string,
): Promise<EarlierPurchase | undefined> {
  const [row] = await readEarlier(db, purchaseId);
  return row && { ...row, paidAt: row.paidAt ?? 0 };
}

const readEarlier = prepare((db, purchaseId: string) => {
  const mailbox = sql.raw(mailboxOf('purchase'));
  return (
    db
      .selectFrom('purchase as later')
      .innerJoin('access_grant as gained', 'gained.purchase_id', 'later.id')
      .innerJoin('purchase', (join) =>
        join.on(sql<boolean>`${mailbox} = ${sql.raw(mailboxOf('later'))}`),
      )
      .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
      .where('later.id', '=', purchaseId)
      .where('later.gift_email', 'is', null)
      .where('purchase.settled_at', 'is not', null)
      // Found by the address: a link may have been sold to very many.
      .where(sql<boolean>`coalesce(purchase.link_id, '') = later.link_id`)
      .where('purchase.gift_email', 'is', null)
      .where('purchase.refunded_because', 'is', null)
      // What was bought while the site was tried out cost nothing. Not as a plain column: the planner would
      // take the index on it, which every purchase matches.
      .where(sql<boolean>`coalesce(purchase.mode, '') = later.mode`)
      .whereRef('purchase.claim_hash', '!=', 'later.claim_hash')
      .where(({ eb, ref, or }) =>
        or([
          eb('purchase.buyer_id', 'is', null),
          eb('later.buyer_id', 'is', null),
          eb('purchase.buyer_id', '!=', ref('later.buyer_id')),
        ]),
      )
      .where('access_grant.state', '=', 'active')
      // A bundle that has grown since brings more than it did.
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('purchase_part as more')
              .whereRef('more.purchase_id', '=', 'later.id')
              .where('more.link_id', 'not in', (part) =>
                part
                  .selectFrom('purchase_part')
                  .whereRef('purchase_part.purchase_id', '=', 'purchase.id')
                  .select('purchase_part.link_id'),
              )
              .select('more.link_id'),
          ) as Expression<SqlBool>,
        ),
      )
      // A key of the seller's own list, which a refund does not end elsewhere, was seen by then.
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('license_key')
              .whereRef('license_key.purchase_id', '=', 'later.id')
              // A generated one is looked up without its hyphens.
              .whereRef('license_key.key', '=', 'license_key.lookup')
              .select('license_key.id'),
          ) as Expression<SqlBool>,
        ),
      )
      .whereRef('access_grant.position', '<', 'gained.position')
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('refund')
              .whereRef('refund.purchase_id', '=', 'purchase.id')
              .where('refund.state', 'in', ['requested', 'pending'])
              .select('refund.id'),
          ) as Expression<SqlBool>,
        ),
      )
      .orderBy('access_grant.position')
      .select(['purchase.id as purchaseId', 'access_grant.id as grantId'])
      .select('purchase.settled_at as paidAt')
  );
});

/** A purchase as its buyer sees it who may give it back. */
export interface BoughtTwice {
  linkId: string;
  title: string | null;
  /** Cents that go back to the buyer, or went, tax included. */
  returnedCents: number;
  /**
   * 'returned': its payment goes or went back; 'disputed': the buyer's bank decides that; 'over': the
   * day in which it could be is; 'kept': what was bought before does not stand any more.
   */
  state: 'returnable' | 'returned' | 'disputed' | 'over' | 'kept';
  earlier: EarlierPurchase | undefined;
  mailbox: string | null;
}

/** @returns undefined where there is no such purchase */
export async function findBoughtTwice(
  db: Database,
  purchaseId: string,
  now: number,
): Promise<BoughtTwice | undefined> {
  const row = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('purchase.id', '=', purchaseId)
    .select(['purchase.link_id', 'purchase.title', 'price_cents', 'tax_cents', 'settled_at'])
    .select(['purchase.refunded_because', 'access_grant.state'])
    .select(sql<string | null>`${sql.raw(mailboxOf('purchase'))}`.as('mailbox'))
    .executeTakeFirst();
  if (!row) return undefined;
  const refunds = await db
    .selectFrom('refund')
    .where('purchase_id', '=', purchaseId)
    .select(['state', 'amount_cents'])
    .execute();
  const paidCents = row.price_cents + row.tax_cents;
  const returnableUntil = (row.settled_at ?? 0) + RETURNABLE_MS;
  const earlier = await findEarlier(db, purchaseId);
  const leftCents = refundableCents(paidCents, row.state, refunds);
  const isReturned =
    row.refunded_because !== null ||
    row.state === 'ended' ||
    (row.state === 'active' && leftCents === 0);
  const stateOf = () => {
    if (isReturned) return 'returned';
    if (row.state === 'suspended') return 'disputed';
    if (!earlier) return 'kept';
    return now < returnableUntil ? 'returnable' : 'over';
  };
  return {
    linkId: row.link_id,
    title: row.title,
    mailbox: row.mailbox,
    returnedCents: isReturned ? paidCents : leftCents,
    state: stateOf(),
    earlier,
  };
}

/** What was bought before, as long as the later purchase can be given back for it. */
export async function findReturnable(
  db: Database,
  purchaseId: string,
  now: number,
): Promise<EarlierPurchase | undefined> {
  const earlier = await findEarlier(db, purchaseId);
  if (!earlier) return undefined;
  const bought = await findBoughtTwice(db, purchaseId, now);
  return bought?.state === 'returnable' ? earlier : undefined;
}

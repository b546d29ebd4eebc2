import { sql } from 'kysely';
import { z } from 'zod';
import { mailboxOf } from '../../ground/database/mailbox-of.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';

/** What the link carries that is mailed to whoever looks for what they bought. */
export type PurchasesTicket = z.infer<typeof PURCHASES_TICKET>;
export const PURCHASES_TICKET = z.object({
  /** The address is that of its purchase; a gift that goes to another one gets another grant. */
  grantId: z.string(),
  /** UTC milliseconds. */
  expiresAt: z.number(),
});

interface AskingContext extends DatabaseContext {
  limits: { take(name: 'purchasesMailed', mailbox: string): Promise<unknown> };
}

/** Addresses by which purchases are found, in the form in which they are compared. */
export const MAILBOX = z.email({ pattern: z.regexes.unicodeEmail }).max(254);

/**
 * Has a link to all purchases of an address mailed to it, if there are any. Whether there are is
 * looked up later, so that neither the answer nor its time tells.
 * @throws DomainError INVALID_INPUT for what is no address, RATE_LIMITED when that mailbox was
 * written to too often
 */
export async function askForPurchases(
  { db, now, limits }: AskingContext,
  text: string,
): Promise<void> {
  const email = canonicalAddress(text);
  if (!MAILBOX.safeParse(email).success) {
    throw new DomainError('INVALID_INPUT', 'Enter the email address that you paid with.');
  }
  await limits.take('purchasesMailed', email);
  await enqueue(db, 'send-purchases', { email }, now());
}

interface LinkContext {
  signer: Signer<PurchasesTicket>;
  now: () => number;
}

/** What a mailed link opens; null when it has expired, or is not ours. */
export function readPurchasesLink(
  { signer, now }: LinkContext,
  token: string,
): PurchasesTicket | null {
  const ticket = signer.read(token);
  return ticket && ticket.expiresAt > now() ? ticket : null;
}

/** Lets a browser hold every purchase that belongs to the address of a mailed link. */
export async function openPurchases(
  { db, now }: DatabaseContext,
  { ticket, claimHash }: { ticket: PurchasesTicket; claimHash: string },
): Promise<void> {
  // A mailbox that reads this link is as good as any code that could be mailed to it.
  const claim = { claimed_at: now(), proven: 1 };
  const sameMailbox = sql<boolean>`${sql.raw(mailboxOf('purchase'))} = ${sql.raw(mailboxOf('named'))}`;
  await transaction(db, async (trx) => {
    await trx
      .insertInto('grant_claim')
      .columns(['grant_id', 'claim_hash', 'claimed_at', 'proven'])
      .expression((select) =>
        select
          .selectFrom('access_grant as mailed')
          .innerJoin('purchase as named', 'named.id', 'mailed.purchase_id')
          .innerJoin('purchase', (join) => join.on(sameMailbox))
          .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
          .where('mailed.id', '=', ticket.grantId)
          .where('purchase.settled_at', 'is not', null)
          .select(({ val }) => [
            'access_grant.id',
            val(claimHash).as('claim_hash'),
            val(claim.claimed_at).as('claimed_at'),
            val(claim.proven).as('proven'),
          ]),
      )
      .onConflict((conflict) => conflict.columns(['claim_hash', 'grant_id']).doUpdateSet(claim))
      .execute();
    await trx
      .updateTable('purchase')
      .set({ gift_opened_at: now() })
      .where('gift_email', 'is not', null)
      .where('gift_opened_at', 'is', null)
      .where('settled_at', 'is not', null)
      .where(({ eb, selectFrom }) =>
        eb(
          sql<string>`${sql.raw(mailboxOf('purchase'))}`,
          '=',
          selectFrom('purchase as named')
            .innerJoin('access_grant as mailed', 'mailed.purchase_id', 'named.id')
            .where('mailed.id', '=', ticket.grantId)
            .select(sql<string>`${sql.raw(mailboxOf('named'))}`.as('mailbox')),
        ),
      )
      .execute();
  });
}

/** Ends what a browser holds by its claim. The purchases, and whoever else holds them, keep it. */
export async function forgetBrowser(db: Database, claimHash: string): Promise<void> {
  await db.deleteFrom('grant_claim').where('claim_hash', '=', claimHash).execute();
  await db.deleteFrom('cart_item').where('claim_hash', '=', claimHash).execute();
}

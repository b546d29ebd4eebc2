import { sql } from 'kysely';
import { type Fact, fact } from '../../../contract/fact.ts';
import { sumOwed } from '../../books/ledger/balance.ts';
import { deleteLinksOf, deleteUnlinkedFiles } from '../../catalog/links/delete-link.ts';
import { deletePage } from '../../catalog/sellers/delete-page.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

/**
 * Deletes an account permanently: its links are taken off sale, and the personal data is erased.
 * Its buyers keep their content, and its own purchases can still be opened with the personal links.
 * @throws DomainError ACCOUNT_NOT_SETTLED while money is owed either way, or a payout is under way
 */
export async function deleteAccount({ db, now }: DatabaseContext, userId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const owedCents = await sumOwed(trx, userId);
    if (owedCents !== 0) throw new DomainError('ACCOUNT_NOT_SETTLED', explain(owedCents));
    const underWay = await trx
      .selectFrom('payout')
      .where('owner_id', '=', userId)
      .where('state', 'in', ['requested', 'sent', 'failed'])
      .select('id')
      .executeTakeFirst();
    if (underWay) {
      throw new DomainError(
        'ACCOUNT_NOT_SETTLED',
        'A payout to you is under way. Delete your account once it has arrived.',
      );
    }
    await deleteLinksOf(trx, userId, now());
    await deleteUnlinkedFiles(trx, userId, now());
    await deletePage(trx, userId, now());
    await eraseUser(trx, userId);
    announce(trx, { kind: 'session-ended', id: userId, ownerId: userId });
  });
}

function explain(owedCents: number): Fact {
  const amount = { cents: Math.abs(owedCents) };
  return owedCents > 0
    ? fact('Your balance is {amount}. Have it paid out before you delete your account.', { amount })
    : fact('Your balance is {amount} below zero. Settle it before you delete your account.', {
        amount,
      });
}

/**
 * Erases the personal data of an account. Sessions and credentials reference the user and go with
 * it; ids are random, so that this one is never reused.
 */
async function eraseUser(db: Database, userId: string): Promise<void> {
  const { email } = await db
    .deleteFrom('user')
    .where('id', '=', userId)
    .returning('email')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('discount').where('owner_id', '=', userId).execute();
  // Buyers keep the keys that they bought.
  await db
    .deleteFrom('license_key')
    .where('purchase_id', 'is', null)
    .where('link_id', 'in', ({ selectFrom }) =>
      selectFrom('link').where('owner_id', '=', userId).select('id'),
    )
    .execute();
  // The paid ones and the others are each read by an index of their own.
  for (const operator of ['is not', 'is'] as const) {
    await db
      .updateTable('purchase')
      .set({ seller_name: null })
      .where('seller_id', '=', userId)
      .where('settled_at', operator, null)
      .execute();
  }
  await db.deleteFrom('invitation').where('email', '=', email).execute();
  await forgetAddresses(db, userId);
  await db.deleteFrom('secret_key').where('owner_id', '=', userId).execute();
  for (const table of ['hook', 'notification_choice', 'notified_browser'] as const) {
    await db.deleteFrom(table).where('owner_id', '=', userId).execute();
  }
  for (const table of ['operator', 'account_quota', 'uploads_of_day'] as const) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  // Unused emailed codes are stored under "{purpose}-otp-{address}", for a change of address under
  // "change-email-otp-{account}:{new address}".
  await db
    .deleteFrom('verification')
    .where('identifier', 'in', [`email-verification-otp-${email}`, `forget-password-otp-${email}`])
    .execute();
  const changes = `change-email-otp-${userId}:`;
  await db
    .deleteFrom('verification')
    .where(sql<boolean>`substr(identifier, 1, ${[...changes].length}) = ${changes}`)
    .execute();
}

/** From where the account bought and downloaded, and on which devices it uses what it bought. */
async function forgetAddresses(db: Database, buyerId: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({ buyer_address: null, buyer_browser: null })
    .where('buyer_id', '=', buyerId)
    .execute();
  await db
    .updateTable('delivery')
    .set({ address: null, browser: null })
    .where('grant_id', 'in', ({ selectFrom }) =>
      selectFrom('access_grant').where('buyer_id', '=', buyerId).select('id'),
    )
    .execute();
  await db
    .deleteFrom('license_activation')
    .where('key_id', 'in', ({ selectFrom }) =>
      selectFrom('license_key')
        .innerJoin('access_grant', 'access_grant.purchase_id', 'license_key.purchase_id')
        .where('access_grant.buyer_id', '=', buyerId)
        .select('license_key.id'),
    )
    .execute();
}

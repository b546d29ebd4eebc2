import { sql } from 'kysely';
import { isSuspended } from '../../ground/acts/is-suspended.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { JobKind } from '../../ground/outbox/tables.ts';
import { BackupRefused } from '../backup/backup-refused.ts';

/**
 * Refuses to export an account of which anything could still be sold or returned: who paid after
 * the export would have nothing at the other installation.
 * @param db a snapshot
 * @throws BackupRefused that says what to do first
 */
export async function requireFinal(db: Database, userId: string): Promise<void> {
  if (!(await isSuspended(db, userId))) {
    throw new BackupRefused(
      `Suspend the account first, so that nothing is sold after the export: npm run cli -- user suspend ${userId} --reason "Your account is moving." Then export it.`,
    );
  }
  const jobs = (kinds: JobKind[]) =>
    db.selectFrom('job').where('kind', 'in', kinds).select('payload');
  const underWay = await db
    .selectFrom('purchase')
    .leftJoin('payment', 'payment.id', 'purchase.payment_id')
    .where('seller_id', '=', userId)
    .where(({ eb, or }) =>
      or([
        eb('state', 'in', ['open', 'processing']),
        // One that was ended here can be paid until the provider has ended it too.
        eb(sql<string>`'{"sessionId":"' || session_id || '"}'`, 'in', jobs(['expire-checkout'])),
      ]),
    )
    .select('purchase.id')
    .executeTakeFirst();
  if (underWay) {
    throw new BackupRefused(
      `Purchase ${underWay.id} is still under way. Let Padlink run until it has ended: a checkout ends soon after the account is suspended, a bank’s payment when it arrives or fails. Then export the account.`,
    );
  }
  const returned = await db
    .selectFrom('purchase')
    .leftJoin('refund', 'refund.purchase_id', 'purchase.id')
    .where('seller_id', '=', userId)
    .where('settled_at', 'is not', null)
    .where(({ eb, or }) =>
      or([
        eb('refund.state', 'in', ['requested', 'pending']),
        // What follows a payment may be that it is given back.
        eb(
          sql<string>`'{"purchaseId":"' || purchase.id || '"}'`,
          'in',
          jobs(['follow-settlement', 'refund-payment']),
        ),
      ]),
    )
    .select('purchase.id')
    .executeTakeFirst();
  if (returned) {
    throw new BackupRefused(
      `Purchase ${returned.id} is still being settled or refunded. Let Padlink run until a refund has succeeded or failed, then export the account.`,
    );
  }
}

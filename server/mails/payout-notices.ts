import type {
  Mail,
  PayoutNoticeInput,
  PayoutsHeldInput,
  PayoutWaitsInput,
} from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import { mailOperators } from './operator-notices.ts';
import type { SendMail } from './smtp.ts';

type Facts<Input> = Omit<Input, 'origin' | 'supportEmail'>;

interface NoticeContext {
  db: Database;
  sendMail: SendMail;
  writePayoutNotice: (facts: Facts<PayoutNoticeInput>) => Mail;
}

/** Emails a creator how a payout fares, unless the account was deleted by now. */
export async function sendPayoutNotice(
  { db, sendMail, writePayoutNotice }: NoticeContext,
  { payoutId, notice }: { payoutId: string; notice: PayoutNoticeInput['notice'] },
): Promise<void> {
  const row = await db
    .selectFrom('payout')
    .innerJoin('user', 'user.id', 'payout.owner_id')
    .where('payout.id', '=', payoutId)
    .select(['amount_cents', 'cost_cents', 'bank_account', 'note'])
    .select(['user.email', 'user.firstName', 'user.language'])
    .executeTakeFirst();
  if (!row) return;
  const { firstName, language, note, bank_account: bankAccount, amount_cents: amountCents } = row;
  const arrivesCents = amountCents - row.cost_cents;
  const facts = { firstName, language, notice, amountCents, arrivesCents, bankAccount, note };
  await sendMail(row.email, writePayoutNotice(facts));
}

interface HeldContext {
  db: Database;
  sendMail: SendMail;
  writePayoutsHeld: (facts: Facts<PayoutsHeldInput>) => Mail;
}

/** Emails a creator that payouts go to another bank account, and are held. */
export async function sendPayoutsHeld(
  { db, sendMail, writePayoutsHeld }: HeldContext,
  { ownerId, heldUntil }: { ownerId: string; heldUntil: number },
): Promise<void> {
  const row = await db
    .selectFrom('payout_account')
    .innerJoin('user', 'user.id', 'payout_account.owner_id')
    .where('owner_id', '=', ownerId)
    .select(['bank_account', 'user.email', 'user.firstName', 'user.language'])
    .executeTakeFirst();
  if (!row) return;
  const { email, bank_account: bankAccount, ...account } = row;
  await sendMail(email, writePayoutsHeld({ ...account, bankAccount, heldUntil }));
}

interface WaitsContext {
  db: Database;
  sendMail: SendMail;
  operatorEmails: string[];
  writePayoutWaits: (facts: Omit<PayoutWaitsInput, 'origin'>) => Mail;
}

/** Emails the operator that a first payout waits, unless it no longer does. */
export async function sendPayoutWaits(
  { db, sendMail, operatorEmails, writePayoutWaits }: WaitsContext,
  payoutId: string,
): Promise<void> {
  const row = await db
    .selectFrom('payout')
    .innerJoin('user', 'user.id', 'payout.owner_id')
    .where('payout.id', '=', payoutId)
    .where('payout.state', '=', 'requested')
    .where('payout.approved_at', 'is', null)
    .select(['amount_cents', 'user.email'])
    .executeTakeFirst();
  if (!row) return;
  const { email: creatorEmail, amount_cents: amountCents } = row;
  await mailOperators({ db, sendMail }, operatorEmails, (language) =>
    writePayoutWaits({ language, payoutId, creatorEmail, amountCents }),
  );
}

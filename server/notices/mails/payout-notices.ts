import type { Gathers } from './gather.ts';
import { findLanguages } from './operator-notices.ts';

export const payoutMails = {
  /** Tells a creator how a payout fares, unless the account was deleted by now. */
  async 'send-payout-notice'({ db }, { payoutId, notice }) {
    const row = await db
      .selectFrom('payout')
      .innerJoin('user', 'user.id', 'payout.owner_id')
      .where('payout.id', '=', payoutId)
      .select(['amount_cents', 'cost_cents', 'bank_account', 'note'])
      .select(['user.email', 'user.firstName', 'user.language'])
      .executeTakeFirst();
    if (!row) return [];
    const { firstName, language, note, bank_account: bankAccount, amount_cents: amountCents } = row;
    const arrivesCents = amountCents - row.cost_cents;
    const facts = { firstName, language, notice, amountCents, arrivesCents, bankAccount, note };
    return [{ to: row.email, mail: 'payoutNotice', facts }];
  },

  /** Tells a creator that payouts go to another bank account, and are held. */
  async 'send-payouts-held'({ db }, { ownerId, heldUntil }) {
    const row = await db
      .selectFrom('payout_account')
      .innerJoin('user', 'user.id', 'payout_account.owner_id')
      .where('owner_id', '=', ownerId)
      .select(['bank_account', 'user.email', 'user.firstName', 'user.language'])
      .executeTakeFirst();
    if (!row) return [];
    const { email: to, bank_account: bankAccount, ...owner } = row;
    return [{ to, mail: 'payoutsHeld', facts: { ...owner, bankAccount, heldUntil } }];
  },

  /** Tells the operators that a first payout waits, unless it no longer does. */
  async 'send-payout-waits'({ db, operatorEmails }, { payoutId }) {
    const row = await db
      .selectFrom('payout')
      .innerJoin('user', 'user.id', 'payout.owner_id')
      .where('payout.id', '=', payoutId)
      .where('payout.state', '=', 'requested')
      .where('payout.approved_at', 'is', null)
      .select(['amount_cents', 'user.email'])
      .executeTakeFirst();
    if (!row) return [];
    const { email: creatorEmail, amount_cents: amountCents } = row;
    const readers = await findLanguages(db, operatorEmails);
    return readers.map(({ to, language }) => ({
      to,
      mail: 'payoutWaits',
      facts: { language, payoutId, creatorEmail, amountCents },
    }));
  },
} satisfies Partial<Gathers>;

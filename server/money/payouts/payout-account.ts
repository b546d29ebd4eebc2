import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { announcePayout } from './book-payout.ts';
import type { PayoutContext } from './context.ts';
import { PayoutRefusedError } from './payout-provider.ts';
import type { PayoutAccount } from './tables.ts';

/** Whoever got into an account shall not get at its money before its owner has noticed. */
export const HOLD_MS = 3 * DAY_MS;

interface Onboarding {
  ownerId: string;
  email: string;
  name: string;
  /** ISO 3166, two letters. */
  country: string;
  returnUrl: string;
  refreshUrl: string;
}

/**
 * Opens a creator's account at the provider, once, and leads to where its owner says who they are
 * and where money goes.
 * @returns a one-time address of the provider
 * @throws DomainError PAYOUT_REFUSED where nobody is paid through the provider, or it will not
 */
export async function beginOnboarding(
  context: PayoutContext,
  { ownerId, email, name, country, returnUrl, refreshUrl }: Onboarding,
): Promise<string> {
  requireConnect(context);
  const { db, provider, now } = context;
  try {
    let accountId = (await findPayoutAccount(db, ownerId, provider.mode))?.account_id;
    if (accountId === undefined) {
      accountId = await provider.createAccount({
        ownerId,
        email,
        displayName: name,
        country,
        idempotencyKey: `account-${ownerId}`,
      });
      await keepAccount(context, ownerId, accountId);
    }
    await enqueue(db, 'follow-payout-account', { accountId, once: false }, now());
    return await provider.onboardingUrl({ accountId, returnUrl, refreshUrl });
  } catch (error) {
    if (error instanceof PayoutRefusedError) throw new DomainError('PAYOUT_REFUSED', error.message);
    throw error;
  }
}

/**
 * Leads to the creator's own pages at the provider, where the bank account is changed.
 * @returns a one-time address
 * @throws DomainError PAYOUT_REFUSED without an account there
 */
export async function openPayoutDashboard(
  context: PayoutContext,
  ownerId: string,
): Promise<string> {
  requireConnect(context);
  const { db, provider } = context;
  const account = await findPayoutAccount(db, ownerId, provider.mode);
  if (!account) throw new DomainError('PAYOUT_REFUSED', 'Connect a payout account first.');
  return provider.dashboardUrl(account.account_id);
}

function requireConnect({ terms }: PayoutContext): void {
  if (terms.kind !== 'connect') {
    throw new DomainError('PAYOUT_REFUSED', 'Payouts are not sent through the provider here.');
  }
}

async function keepAccount(
  { db, provider, now }: PayoutContext,
  ownerId: string,
  accountId: string,
): Promise<void> {
  const createdAt = now();
  await db
    .insertInto('payout_account')
    .values({
      owner_id: ownerId,
      mode: provider.mode,
      account_id: accountId,
      is_ready: 0,
      missing: '[]',
      bank_account: null,
      changed_at: null,
      created_at: createdAt,
      updated_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function findPayoutAccount(
  db: Database,
  ownerId: string,
  mode: PayoutAccount['mode'],
): Promise<PayoutAccount | undefined> {
  return db
    .selectFrom('payout_account')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('mode', '=', mode)
    .executeTakeFirst();
}

/**
 * Asks the provider what has become of a creator's account. Another bank account in the place of
 * the first one holds payouts, of which the creator is told; the first one does not.
 * @returns the account as it is now, or undefined where it is none of ours
 */
export async function followAccount(
  { db, provider, now }: PayoutContext,
  accountId: string,
): Promise<PayoutAccount | undefined> {
  const ofAccount = db.selectFrom('payout_account').selectAll().where('account_id', '=', accountId);
  const before = await ofAccount.executeTakeFirst();
  if (!before) return undefined;
  const { isReady, missing, bankAccount } = await provider.retrieveAccount(accountId);
  const reported = {
    is_ready: isReady ? 1 : 0,
    missing: JSON.stringify(missing),
    bank_account: bankAccount,
  };
  const isSame = Object.entries(reported).every(
    ([name, value]) => before[name as keyof typeof reported] === value,
  );
  if (isSame) return before;
  const wasThere = before.bank_account !== null || before.changed_at !== null;
  const isOther = wasThere && before.bank_account !== bankAccount;
  const at = now();
  const changed = await transaction(db, async (trx) => {
    const row = await trx
      .updateTable('payout_account')
      .set({ ...reported, updated_at: at, ...(isOther && { changed_at: at }) })
      .where('account_id', '=', accountId)
      // Somebody else may have been told meanwhile.
      .where('bank_account', before.bank_account === null ? 'is' : '=', before.bank_account)
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    if (isOther) {
      const held = { ownerId: row.owner_id, heldUntil: at + HOLD_MS };
      await enqueue(trx, 'send-payouts-held', held, at);
    }
    // What waited for the account need not wait for its hour.
    const waiting = await trx
      .selectFrom('payout')
      .where('account_id', '=', accountId)
      .where('state', 'in', ['requested', 'failed'])
      .select('id')
      .execute();
    for (const { id } of waiting) {
      await enqueue(trx, 'follow-payout', { payoutId: id, once: true }, at);
    }
    announcePayout(trx, row);
    return row;
  });
  return changed ?? ofAccount.executeTakeFirst();
}

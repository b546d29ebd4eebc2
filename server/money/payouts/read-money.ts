import { sql } from 'kysely';
import { type Fact, fact, putIntoEnglish } from '../../../contract/fact.ts';
import { findBalance, type Balance as KeptBalance } from '../../books/ledger/balance.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import type { Mode } from '../../selling/purchases/tables.ts';
import type { PayoutContext, PayoutTerms } from './context.ts';
import { findPayoutAccount, HOLD_MS } from './payout-account.ts';
import { type PayoutAccount, UNDER_WAY } from './tables.ts';

type Balance = Omit<KeptBalance, 'createdAt' | 'updatedAt'>;

/**
 * A creator's money: what there is of it, and why some of it cannot be had yet. What is available may
 * be asked for now, and is never below 0.
 */
export interface MoneyView extends Balance {
  /** What payouts under way will bring. */
  inTransitCents: number;
  account: {
    state: 'none' | 'incomplete' | 'ready';
    bankAccount: string | null;
    /** What the provider still asks for. */
    missing: string[];
  };
  /** Why no payout can be asked for now; null when one can. */
  obstacleFact: Fact | null;
  /** In English. */
  obstacle: string | null;
  /** UTC ms until which payouts are held after a change of what leads to the account's money. */
  heldUntil: number | null;
}

export async function readMoney(context: PayoutContext, ownerId: string): Promise<MoneyView> {
  const { db, provider, terms, now } = context;
  const balance = await readBalance(context, db, ownerId);
  const account = await findPayoutAccount(db, ownerId, provider.mode);
  const hold = terms.kind === 'connect' ? await findHold(db, ownerId, account, now()) : null;
  const obstacleFact = findObstacle(terms, { balance, account, hold });
  return {
    ...balance,
    availableCents: Math.max(0, balance.availableCents),
    inTransitCents: await sumInTransit(db, ownerId, provider.mode),
    account: {
      state: stateOf(account),
      bankAccount: account?.bank_account ?? null,
      missing: account ? JSON.parse(account.missing) : [],
    },
    obstacleFact,
    obstacle: obstacleFact && putIntoEnglish(obstacleFact),
    heldUntil: hold?.until ?? null,
  };
}

async function sumInTransit(db: Database, ownerId: string, mode: Mode): Promise<number> {
  const { cents } = await db
    .selectFrom('payout')
    .where('owner_id', '=', ownerId)
    .where('mode', '=', mode)
    .where('state', 'in', UNDER_WAY)
    .select(sql<number | string>`coalesce(sum(amount_cents - cost_cents), 0)`.as('cents'))
    .executeTakeFirstOrThrow();
  return Number(cents);
}

function stateOf(account: PayoutAccount | undefined): MoneyView['account']['state'] {
  if (!account) return 'none';
  return account.is_ready ? 'ready' : 'incomplete';
}

const NOTHING: Balance = {
  balanceCents: 0,
  pendingCents: 0,
  availableCents: 0,
  releases: [],
  reservedCents: 0,
};

/** What is available may be below 0. @param db the database, or a transaction on it */
export async function readBalance(
  { provider, terms, now }: Pick<PayoutContext, 'provider' | 'terms' | 'now'>,
  db: Database,
  ownerId: string,
): Promise<Balance> {
  const holdMs = terms.holdDays * DAY_MS;
  return (await findBalance(db, { ownerId, mode: provider.mode, holdMs }, now())) ?? NOTHING;
}

interface Hold {
  /** UTC milliseconds. */
  until: number;
  said: Fact;
}

/** The hold after a change of the email address, the password or the bank account; null when over. */
export async function findHold(
  db: Database,
  ownerId: string,
  account: PayoutAccount | undefined,
  now: number,
): Promise<Hold | null> {
  const owner = await db
    .selectFrom('user')
    .where('id', '=', ownerId)
    .select('credentialsChangedAt')
    .executeTakeFirst();
  const ownChange = new Date(owner?.credentialsChangedAt ?? 0).getTime();
  const bankChange = account?.changed_at ?? 0;
  const until = Math.max(ownChange, bankChange) + HOLD_MS;
  if (until <= now) return null;
  const time = { moment: until };
  return {
    until,
    said:
      bankChange > ownChange
        ? fact('Payouts are held until {time}, because the bank account was changed.', { time })
        : fact(
            'Payouts are held until {time}, because your email address or password was changed.',
            { time },
          ),
  };
}

/** What of a creator decides whether a payout can be asked for. */
export interface Standing {
  balance: Pick<Balance, 'balanceCents' | 'availableCents'>;
  account: PayoutAccount | undefined;
  hold: Hold | null;
}

/** Why no payout can be asked for; null when one can. */
export function findObstacle(
  terms: PayoutTerms,
  { balance, account, hold }: Standing,
): Fact | null {
  const { balanceCents, availableCents } = balance;
  if (terms.kind === 'solo')
    return fact('All money is in your own account at the payment provider.');
  if (terms.kind === 'manual')
    return fact('Payouts are made manually here; you do not need to request them.');
  if (!account) return fact('Connect a payout account first.');
  if (!account.is_ready) return describeMissing(JSON.parse(account.missing));
  if (hold) return hold.said;
  if (balanceCents < 0) {
    const amount = { cents: -balanceCents };
    return fact('Your balance is {amount} below zero. New sales make up for it first.', { amount });
  }
  const leastCents = leastOf(terms);
  if (availableCents >= leastCents) return null;
  return fact('The minimum payout is {least}. {available} is available now.', {
    least: { cents: leastCents },
    available: { cents: Math.max(0, availableCents) },
  });
}

/** Cents: something arrives of every payout. */
export const leastOf = ({ minimumCents, costCents }: PayoutTerms) =>
  Math.max(minimumCents, costCents + 1);

export function describeMissing(missing: string[]): Fact {
  if (missing.length === 0) return fact('The payment provider is checking your payout account.');
  return fact('Your payout account is not ready. The payment provider still needs {missing}.', {
    missing: missing.map((text) => ({ text })),
  });
}

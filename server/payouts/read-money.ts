import { sql } from 'kysely';
import { formatMoment } from '../../contract/format.ts';
import { formatCents } from '../../contract/money.ts';
import type { Database } from '../database/tables.ts';
import { findBalance, type Release } from '../ledger/balance.ts';
import { DAY_MS } from '../lib/time.ts';
import type { Mode } from '../payments/tables.ts';
import type { PayoutContext, PayoutTerms } from './context.ts';
import { findPayoutAccount, HOLD_MS } from './payout-account.ts';
import { type PayoutAccount, UNDER_WAY } from './tables.ts';

/** A creator's money: what there is of it, and why some of it cannot be had yet. */
export interface MoneyView {
  balanceCents: number;
  pendingCents: number;
  /** What may be asked for now; never below 0. */
  availableCents: number;
  /** By the day on which it becomes available, earliest first; with the reserves all that is pending. */
  releases: Release[];
  /** Reserved for refunds under way and claims that are undecided. */
  reservedCents: number;
  /** What payouts under way will bring. */
  inTransitCents: number;
  account: {
    state: 'none' | 'incomplete' | 'ready';
    bankAccount: string | null;
    /** What the provider still asks for. */
    missing: string[];
  };
  /** Why no payout can be asked for now, in a sentence; null when one can. */
  obstacle: string | null;
  /** UTC ms until which payouts are held after a change of what leads to the account's money. */
  heldUntil: number | null;
}

export async function readMoney(context: PayoutContext, ownerId: string): Promise<MoneyView> {
  const { db, provider, terms, now } = context;
  const balance = await readBalance(context, db, ownerId);
  const account = await findPayoutAccount(db, ownerId, provider.mode);
  const hold = terms.kind === 'connect' ? await findHold(db, ownerId, account, now()) : null;
  const standing = { balance, account, hold };
  return {
    balanceCents: balance.balanceCents,
    pendingCents: balance.pendingCents,
    availableCents: Math.max(0, balance.availableCents),
    releases: balance.releases,
    reservedCents: balance.reservedCents,
    inTransitCents: await sumInTransit(db, ownerId, provider.mode),
    account: {
      state: stateOf(account),
      bankAccount: account?.bank_account ?? null,
      missing: account ? JSON.parse(account.missing) : [],
    },
    obstacle: findObstacle(terms, standing),
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

type Balance = Pick<
  MoneyView,
  'balanceCents' | 'pendingCents' | 'availableCents' | 'releases' | 'reservedCents'
>;

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
  sentence: string;
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
  const changes = [
    {
      at: new Date(owner?.credentialsChangedAt ?? 0).getTime(),
      what: 'your email address or password',
    },
    { at: account?.changed_at ?? 0, what: 'the bank account' },
  ];
  const [last] = changes.sort((one, other) => other.at - one.at);
  if (!last || last.at <= now - HOLD_MS) return null;
  const until = last.at + HOLD_MS;
  return {
    until,
    sentence: `Payouts are held until ${formatMoment(until)}, because ${last.what} was changed.`,
  };
}

/** What of a creator decides whether a payout can be asked for. */
export interface Standing {
  balance: Pick<Balance, 'balanceCents' | 'availableCents'>;
  account: PayoutAccount | undefined;
  hold: Hold | null;
}

/** Why no payout can be asked for, in a sentence; null when one can. */
export function findObstacle(
  terms: PayoutTerms,
  { balance, account, hold }: Standing,
): string | null {
  const { balanceCents, availableCents } = balance;
  if (terms.kind === 'solo') return 'All money is in your own account at the payment provider.';
  if (terms.kind === 'manual') return 'Payouts are made by hand here, without being asked for.';
  if (!account) return 'Connect a payout account first.';
  if (!account.is_ready) return describeMissing(JSON.parse(account.missing));
  if (hold) return hold.sentence;
  if (balanceCents < 0) {
    return `Your balance is $${formatCents(-balanceCents)} below zero. New sales make up for it first.`;
  }
  const leastCents = leastOf(terms);
  if (availableCents >= leastCents) return null;
  const available = formatCents(Math.max(0, availableCents));
  return `The smallest payout is $${formatCents(leastCents)}. $${available} is available now.`;
}

/** Cents: something arrives of every payout. */
export const leastOf = ({ minimumCents, costCents }: PayoutTerms) =>
  Math.max(minimumCents, costCents + 1);

export function describeMissing(missing: string[]): string {
  if (missing.length === 0) return 'The payment provider is checking your payout account.';
  const list = new Intl.ListFormat('en-US').format(missing);
  return `Your payout account is not ready. The payment provider still needs ${list}.`;
}

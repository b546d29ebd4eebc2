import { sql } from 'kysely';
import { putIntoEnglish, readFact } from '../../../contract/fact.ts';
import { formatCents } from '../../../contract/money.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS, isoTime } from '../../ground/lib/time.ts';
import { UNDER_WAY } from './tables.ts';

/** Recomputes payouts from their entries and lists every error found, one sentence each. */
export async function findWrongPayouts(db: Database): Promise<string[]> {
  return [...(await wrongEntries(db)), ...(await strayEntries(db)), ...(await overdrafts(db))];
}

/** Each payout has its entry, and one that is over without having been paid has the one back. */
async function wrongEntries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: string; kind: string }>`
    with booked as (
      select e.cause, e.mode, e.kind, min(l.owner_id) as owner_id,
        sum(case l.account when 'creator' then -l.amount_cents else 0 end) as amount,
        sum(case l.account when 'payout_fee' then l.amount_cents else 0 end) as cost,
        sum(case l.account when 'payout_in_transit' then l.amount_cents else 0 end) as arrives
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where e.kind in ('payout', 'payout_reversal') group by e.cause, e.mode, e.kind
    ), due as (
      select p.*, 'payout' as kind, 1 as sign, 1 as wanted from payout p
      union all
      select p.*, 'payout_reversal', -1, case when p.state = 'reversed' then 1 else 0 end
      from payout p
    )
    select d.id, d.state, d.kind from due d
    left join booked b on b.kind = d.kind and b.cause = d.kind || ':' || d.id
    where (case when b.cause is null then 0 else 1 end) <> d.wanted
      or (b.cause is not null and (b.mode <> d.mode or b.owner_id <> d.owner_id
        or b.amount <> d.sign * d.amount_cents or b.cost <> d.sign * d.cost_cents
        or b.arrives <> d.sign * (d.amount_cents - d.cost_cents)))`.execute(db);
  return rows.map(
    ({ id, state, kind }) => `Payout ${id} is ${state}, and its entry ${kind}:${id} does not fit.`,
  );
}

async function strayEntries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ cause: string }>`
    select distinct e.cause from ledger_entry e
    join ledger_line l on l.entry_id = e.id and l.account in ('payout_in_transit', 'payout_fee')
    left join payout p on p.id = substr(e.cause, length(e.kind) + 2)
    where e.kind in ('payout', 'payout_reversal') and p.id is null`.execute(db);
  return rows.map(({ cause }) => `The entry ${cause} belongs to no payout.`);
}

/** Clocks of processes differ by less: of two lines so close together either may be the older. */
const CLOCKS_MS = 10 * 60_000;

/**
 * Payouts beyond what was owed when they were booked. What the hold was then, nobody knows: what a
 * creator had at all is what can be recomputed.
 */
async function overdrafts(db: Database): Promise<string[]> {
  const { rows } = await sql<{ cause: string; left_cents: number }>`
    with paid as (
      select e.cause, e.mode, e.created_at, l.owner_id
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where e.kind = 'payout' and l.account = 'creator'
    ), standing as (
      select paid.cause, (
        select coalesce(sum(l.amount_cents), 0)
        from ledger_line l join ledger_entry e on e.id = l.entry_id
        where l.owner_id = paid.owner_id and e.mode = paid.mode
          and (l.amount_cents > 0 and e.created_at <= paid.created_at + ${CLOCKS_MS}
            or e.kind = 'payout' and e.created_at <= paid.created_at
            or e.created_at < paid.created_at - ${CLOCKS_MS})
      ) as left_cents from paid
    )
    select cause, left_cents from standing where left_cents < 0`.execute(db);
  return rows.map(
    ({ cause, left_cents }) =>
      `The entry ${cause} is $${formatCents(-Number(left_cents))} more than its creator was owed.`,
  );
}

/** What may pass until a payout is over, with a hold and the days of a bank; then a person looks. */
const UNDER_WAY_MS = 10 * DAY_MS;
/** How long a creator may wait for the operator. */
const UNAPPROVED_MS = 3 * DAY_MS;

/** Payouts that should be over by now, a sentence each. @param now UTC milliseconds */
export async function findOverduePayouts(db: Database, now: number): Promise<string[]> {
  const late = await db
    .selectFrom('payout')
    .where('state', 'in', UNDER_WAY)
    .where('requested_at', '<', now - UNAPPROVED_MS)
    .orderBy('requested_at')
    .select(['id', 'state', 'approved_at', 'requested_at', 'note'])
    .execute();
  return late.flatMap(({ id, state, approved_at, requested_at, note }) => {
    const since = isoTime(requested_at);
    if (approved_at === null) {
      return [
        `Payout ${id} has been waiting for your approval since ${since}: payouts approve or refuse it.`,
      ];
    }
    if (requested_at >= now - UNDER_WAY_MS) return [];
    return [
      `Payout ${id} was asked for at ${since} and is still ${state}. ${putIntoEnglish(readFact(note ?? ''))}`.trim(),
    ];
  });
}

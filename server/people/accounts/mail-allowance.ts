import { hash } from 'node:crypto';
import type { Database } from '../../ground/database/tables.ts';
import { DAY_MS, dayOf } from '../../ground/lib/time.ts';

/**
 * Emails per UTC day to unconfirmed addresses, for all processes together: at the request of one
 * network address (a classroom shares one), and in all. It takes 25 networks to stop a day's
 * sign-ups.
 */
export const UNPROVEN_MAILS_A_DAY = { ofVisitor: 200, all: 5_000 };

export interface MailAllowance {
  /**
   * Takes one email from the day's allowance.
   * @param visitor the requesting network address, null for none in particular
   * @returns a function that gives it back if no email was sent after all; null if nothing was left
   */
  take(visitor: string | null): Promise<(() => Promise<void>) | null>;
  /** Milliseconds until there is a new allowance. */
  renewedIn(): number;
}

/**
 * Keeps strangers from having emails sent to any number of others in this installation's name.
 * @param onUsedUp called at most once a day, when nothing is left for anyone
 */
export function createMailAllowance(
  db: Database,
  now: () => number,
  onUsedUp: () => void,
): MailAllowance {
  let toldOn: number | null = null;
  return {
    async take(visitor) {
      const day = dayOf(now());
      const counters: [whose: string, most: number][] = [[ALL, UNPROVEN_MAILS_A_DAY.all]];
      // First, so that a stranger who is refused takes nothing from the rest. Addresses are counted,
      // not stored.
      if (visitor) counters.unshift([hash('sha256', visitor), UNPROVEN_MAILS_A_DAY.ofVisitor]);
      const counted: string[] = [];
      const giveBack = () => countDown(db, day, counted);
      for (const [whose, most] of counters) {
        if (await countUp(db, day, whose, most)) counted.push(whose);
        else {
          await giveBack();
          if (whose === ALL && toldOn !== day) {
            toldOn = day;
            onUsedUp();
          }
          return null;
        }
      }
      return giveBack;
    },
    renewedIn: () => DAY_MS - (now() % DAY_MS),
  };
}

/** Forgets the days before this one. */
export async function sweepMailAllowances(db: Database, now: number): Promise<void> {
  await db.deleteFrom('mails_of_day').where('day', '<', dayOf(now)).execute();
}

const ALL = 'all';

/** @returns false when there is no more to take */
async function countUp(db: Database, day: number, visitor: string, most: number): Promise<boolean> {
  const counted = await db
    .insertInto('mails_of_day')
    .values({ day, visitor, mails: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'visitor'])
        .doUpdateSet(({ eb }) => ({ mails: eb('mails_of_day.mails', '+', 1) }))
        .where('mails_of_day.mails', '<', most),
    )
    .returning('mails')
    .executeTakeFirst();
  return counted !== undefined;
}

async function countDown(db: Database, day: number, visitors: string[]): Promise<void> {
  if (visitors.length === 0) return;
  await db
    .updateTable('mails_of_day')
    .set(({ eb }) => ({ mails: eb('mails', '-', 1) }))
    .where('day', '=', day)
    .where('visitor', 'in', visitors)
    .execute();
}

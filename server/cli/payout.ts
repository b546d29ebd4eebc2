import { formatCents } from '../../contract/money.ts';
import type { Database } from '../ground/database/tables.ts';
import { isoTime } from '../ground/lib/time.ts';
import { approvePayout, refusePayout } from '../money/payouts/request-payout.ts';
import { UNDER_WAY } from '../money/payouts/tables.ts';
import { type Commands, DONE, readFirst, readOptions, readReasoned } from './command-line.ts';

export const USAGE = `  payouts list [--waiting]
                    shows payouts that are not over, or only those that wait for your approval
  payouts approve ID
                    lets a creator's first payout be sent, and all further ones of theirs
  payouts refuse ID --reason TEXT
                    returns a payout that was not sent yet to its creator's balance; they are
                    mailed the reason, a sentence`;

export const COMMANDS: Commands = {
  async 'payouts list'({ db, out, words }) {
    const { waiting = false } = readOptions(words, { waiting: { type: 'boolean' } });
    const payouts = await listUnderWay(db, waiting);
    for (const { id, state, amount_cents, approved_at, requested_at, email, note } of payouts) {
      const standing = approved_at === null ? 'waiting' : state;
      const who = email ?? 'a deleted account';
      out.log(
        `${id}  ${standing.padEnd(9)}  ${isoTime(requested_at)}  $${formatCents(amount_cents)}  ${who}`,
      );
      if (note !== null && approved_at !== null) out.log(`    ${note}`);
    }
    if (payouts.length === 0) out.log('There are none.');
    return { ok: true, payouts: payouts.map(inWords) };
  },
  async 'payouts approve'({ db, out, words }) {
    const id = readFirst(words, 'Which payout? Give its ID, as “payouts list” shows it.');
    await approvePayout({ db, now: Date.now }, { kind: 'cli' }, id);
    out.log(
      'The payout was approved. “payouts list” shows it until it has arrived, and why it waits.',
    );
    return DONE;
  },
  async 'payouts refuse'({ db, out, words }) {
    const request = 'Give the ID of a payout, then --reason and a sentence for its seller.';
    const { first: payoutId, reason } = readReasoned(words, {}, request);
    await refusePayout({ db, now: Date.now }, { kind: 'cli' }, { payoutId, reason });
    out.log('The payout was refused; its money is back in the seller’s balance.');
    return DONE;
  },
};

const inWords = (payout: Awaited<ReturnType<typeof listUnderWay>>[number]) => ({
  id: payout.id,
  state: payout.approved_at === null ? 'waiting' : payout.state,
  requestedAt: isoTime(payout.requested_at),
  amountCents: payout.amount_cents,
  email: payout.email,
  note: payout.note,
});

function listUnderWay(db: Database, onlyWaiting: boolean) {
  return db
    .selectFrom('payout')
    .leftJoin('user', 'user.id', 'payout.owner_id')
    .where('payout.state', 'in', UNDER_WAY)
    .$if(onlyWaiting, (query) => query.where('payout.approved_at', 'is', null))
    .orderBy('payout.requested_at')
    .orderBy('payout.id')
    .select(['payout.id', 'state', 'amount_cents', 'approved_at', 'requested_at', 'note'])
    .select('user.email')
    .execute();
}

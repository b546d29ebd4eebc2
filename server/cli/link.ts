import { MODERATION_REASONS } from '../../contract/moderation.ts';
import { isoTime } from '../ground/lib/time.ts';
import { answerObjection } from '../office/moderation/answer-objection.ts';
import { listReports } from '../office/moderation/list-reports.ts';
import { listTakeDowns } from '../office/moderation/list-take-downs.ts';
import { takeDownLink } from '../office/moderation/take-down-link.ts';
import { undoTakeDown } from '../office/moderation/undo-take-down.ts';
import { type Commands, DONE, readReasoned } from './command-line.ts';

export const USAGE = `  link take-down ID [--category CATEGORY] [--refund-days N] --reason TEXT
                    takes a link from everybody at once, and refuses its files from then on; its
                    seller and buyers are mailed, the seller with the reason, and whoever bought it
                    in the last N days is refunded. CATEGORY is one of
                    ${Object.keys(MODERATION_REASONS).join(', ')}
  link restore ID --reason TEXT
                    undoes that; whoever was refunded stays so
  link reports      shows what visitors reported, and what sellers objected to take-downs, that
                    nobody has dealt with yet
  link answer ID --reason TEXT
                    answers an objection: the link stays down, and its seller is mailed why`;

const REQUEST = 'Give the ID of a link, then --reason and a sentence for its seller.';
const actor = { kind: 'cli' } as const;

export const COMMANDS: Commands = {
  async 'link take-down'({ db, out, words: line }) {
    const options = { category: { type: 'string' }, 'refund-days': { type: 'string' } } as const;
    const { first: id, values, reason: words } = readReasoned(line, options, REQUEST);
    const { category: reason = 'other', 'refund-days': days } = values;
    const refundDays = days === undefined ? null : Number(days);
    await takeDownLink({ db, now: Date.now }, { actor, id, words, reason, refundDays });
    out.log('The link was taken down. Its seller and its buyers are being mailed.');
    return DONE;
  },
  async 'link restore'({ db, out, words: line }) {
    const { first: id, reason: words } = readReasoned(line, {}, REQUEST);
    await undoTakeDown({ db, now: Date.now }, { actor, id, words });
    out.log('The link was restored. Its seller is being mailed.');
    return DONE;
  },
  async 'link answer'({ db, out, words: line }) {
    const { first: id, reason: words } = readReasoned(line, {}, REQUEST);
    await answerObjection({ db, now: Date.now }, { actor, id, words });
    out.log('The objection was answered. The seller is being mailed.');
    return DONE;
  },
  async 'link reports'({ db, out }) {
    const { items: reports, ...more } = await listReports(db, { token: null, isOpen: true });
    const asked = { token: null, isWaiting: true };
    const { items: takeDowns, nextToken } = await listTakeDowns(db, asked);
    for (const { linkId, reason, words, email, createdAt } of reports) {
      out.log(`${isoTime(createdAt)}  ${linkId}  ${reason}${email ? `  ${email}` : ''}`);
      out.log(`    ${words.replaceAll('\n', '\n    ')}`);
    }
    for (const { linkId, reason, objection, objectedAt } of takeDowns) {
      out.log(`${isoTime(objectedAt ?? 0)}  ${linkId}  ${reason}  objection of its seller`);
      out.log(`    ${objection?.replaceAll('\n', '\n    ')}`);
    }
    if (reports.length + takeDowns.length === 0) out.log('There are none.');
    if ((more.nextToken ?? nextToken) !== null)
      out.log('There are more; only the newest are shown.');
    const objections = takeDowns.map(({ linkId, reason, objection, objectedAt }) => ({
      linkId,
      reason,
      objection,
      objectedAt: isoTime(objectedAt ?? 0),
    }));
    return {
      ok: true,
      reports: reports.map((report) => ({ ...report, createdAt: isoTime(report.createdAt) })),
      objections,
    };
  },
};

import { seenText } from '../../../contract/characters.ts';
import type { Gathers } from './gather.ts';
import { findLanguages } from './operator-notices.ts';
import { purchaseFacts } from './receipts.ts';

export const takeDownMails = {
  /** Tells the seller what was decided about a link, unless the account was deleted by now. */
  async 'send-take-down'({ db }, { takeDownId, notice }) {
    const row = await db
      .selectFrom('take_down')
      .innerJoin('link', 'link.id', 'take_down.link_id')
      .innerJoin('user', 'user.id', 'link.owner_id')
      .where('take_down.id', '=', takeDownId)
      .select(['link.id', 'link.title', 'user.email', 'user.firstName', 'user.language'])
      .select(['take_down.reason', 'take_down.words', 'take_down.answer'])
      .executeTakeFirst();
    if (!row) return [];
    const { id: linkId, title, reason, firstName, language } = row;
    const words = notice === 'answered' ? (row.answer ?? '') : row.words;
    const facts = { language, firstName, notice, title: seenText(title), linkId, reason, words };
    return [{ to: row.email, mail: 'takeDown', facts }];
  },

  /** Tells a buyer that what was bought was taken down, unless that was undone by now. */
  async 'send-content-taken-down'({ db }, { purchaseId, isRefunded, partId }) {
    const row = await db
      .selectFrom('purchase')
      .innerJoin('link', (join) =>
        partId === undefined
          ? join.onRef('link.id', '=', 'purchase.link_id')
          : join.on('link.id', '=', partId),
      )
      .where('purchase.id', '=', purchaseId)
      .where('link.taken_down_at', 'is not', null)
      .select(['purchase.id', 'purchase.link_id', 'purchase.title', 'purchase.seller_name'])
      .select(['purchase.buyer_email', 'purchase.language', 'link.title as link_title'])
      .executeTakeFirst();
    if (!row?.buyer_email) return [];
    const part = partId === undefined ? null : { id: partId, title: seenText(row.link_title) };
    const facts = { ...purchaseFacts(row), isRefunded, part };
    return [{ to: row.buyer_email, mail: 'contentTakenDown', facts }];
  },

  /** Tells every operator how much waits for a decision, unless nothing does any more. */
  async 'send-reports-wait'({ db, operatorEmails }) {
    const { reports, objections } = await db
      .selectNoFrom(({ selectFrom, fn }) => [
        selectFrom('report')
          .where('closed_at', 'is', null)
          .select(fn.countAll<number | string>().as('count'))
          .as('reports'),
        selectFrom('take_down')
          .where('undone_at', 'is', null)
          .where('objected_at', 'is not', null)
          .where('answered_at', 'is', null)
          .select(fn.countAll<number | string>().as('count'))
          .as('objections'),
      ])
      .executeTakeFirstOrThrow();
    const waiting = { reports: Number(reports), objections: Number(objections) };
    if (waiting.reports + waiting.objections === 0) return [];
    const granted = await db
      .selectFrom('operator')
      .innerJoin('user', 'user.id', 'operator.user_id')
      .select('user.email')
      .execute();
    const addresses = new Set([...operatorEmails, ...granted.map(({ email }) => email)]);
    const readers = await findLanguages(db, [...addresses]);
    return readers.map(({ to, language }) => ({
      to,
      mail: 'reportsWait',
      facts: { language, ...waiting },
    }));
  },
} satisfies Partial<Gathers>;

import { seenText } from '../../contract/characters.ts';
import type {
  ContentTakenDownInput,
  Mail,
  ReportsWaitInput,
  TakeDownInput,
} from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { JobPayloads } from '../outbox/tables.ts';
import { mailOperators } from './operator-notices.ts';
import { purchaseFacts } from './receipts.ts';
import type { SendMail } from './smtp.ts';

type Facts<Input> = Omit<Input, 'origin' | 'supportEmail'>;

interface Context {
  db: Database;
  sendMail: SendMail;
}

/** Emails the seller what was decided about a link, unless the account was deleted by now. */
export async function sendTakeDown(
  {
    db,
    sendMail,
    writeTakeDown,
  }: Context & { writeTakeDown: (facts: Facts<TakeDownInput>) => Mail },
  { takeDownId, notice }: JobPayloads['send-take-down'],
): Promise<void> {
  const row = await db
    .selectFrom('take_down')
    .innerJoin('link', 'link.id', 'take_down.link_id')
    .innerJoin('user', 'user.id', 'link.owner_id')
    .where('take_down.id', '=', takeDownId)
    .select(['link.id', 'link.title', 'user.email', 'user.firstName', 'user.language'])
    .select(['take_down.reason', 'take_down.words', 'take_down.answer'])
    .executeTakeFirst();
  if (!row) return;
  const { id: linkId, title, reason, firstName, language } = row;
  const words = notice === 'answered' ? (row.answer ?? '') : row.words;
  const facts = { language, firstName, notice, title: seenText(title), linkId, reason, words };
  await sendMail(row.email, writeTakeDown(facts));
}

type WriteContentTakenDown = (facts: Facts<ContentTakenDownInput>) => Mail;

/** Emails a buyer that what was bought was taken down, unless that was undone by now. */
export async function sendContentTakenDown(
  { db, sendMail, write }: Context & { write: WriteContentTakenDown },
  { purchaseId, isRefunded, partId }: JobPayloads['send-content-taken-down'],
): Promise<void> {
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
  if (!row?.buyer_email) return;
  const part = partId === undefined ? null : { id: partId, title: seenText(row.link_title) };
  await sendMail(row.buyer_email, write({ ...purchaseFacts(row), isRefunded, part }));
}

interface WaitContext extends Context {
  operatorEmails: string[];
  writeReportsWait: (facts: Omit<ReportsWaitInput, 'origin'>) => Mail;
}

/** Emails every operator how much waits for a decision, unless nothing does any more. */
export async function sendReportsWait({
  db,
  sendMail,
  operatorEmails,
  writeReportsWait,
}: WaitContext): Promise<void> {
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
  if (waiting.reports + waiting.objections === 0) return;
  const granted = await db
    .selectFrom('operator')
    .innerJoin('user', 'user.id', 'operator.user_id')
    .select('user.email')
    .execute();
  const addresses = new Set([...operatorEmails, ...granted.map(({ email }) => email)]);
  await mailOperators({ db, sendMail }, [...addresses], (language) =>
    writeReportsWait({ language, ...waiting }),
  );
}

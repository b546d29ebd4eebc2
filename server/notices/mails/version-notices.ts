import { sql } from 'kysely';
import { seenText } from '../../../contract/characters.ts';
import { mailboxOf } from '../../ground/database/mailbox-of.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { JobPayloads } from '../../ground/outbox/tables.ts';
import type { Gathers } from './gather.ts';

/** Buyers who are looked for at once, so that receipts are not held up. */
const BUYERS_AT_ONCE = 100;

/**
 * Writes a job for each buyer who wants to be told of a version that holds something new for them:
 * one for each address, and once for each version, also when it runs twice. The rest is left to the
 * next job of its kind.
 */
export async function announceVersion(
  { db, now }: DatabaseContext,
  { linkId, version, after }: JobPayloads['announce-version'],
): Promise<void> {
  await transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string; mailbox: string }>`
      select g.id, ${sql.raw(mailboxOf('p'))} as mailbox
      from access_grant g
      join purchase p on p.id = g.purchase_id
      join link l on l.id = g.link_id
      join link_version bought on bought.link_id = l.id and bought.number = p.content_version
      where g.link_id = ${linkId} and g.wants_versions = 1 and g.id > ${after}
        and g.state = 'active' and p.buyer_email is not null
        and l.content_version = ${version} and p.content_version < ${version}
        and l.deleted_at is null and l.taken_down_at is null
        and (l.url <> bought.url or exists (
          select 1 from link_file n where n.link_id = l.id and n.version = ${version}
            and n.file_key not in (select b.file_key from link_file b
              where b.link_id = l.id and b.version = p.content_version)
        ))
      order by g.id
      limit ${sql.lit(BUYERS_AT_ONCE)}`.execute(trx);
    for (const { id, mailbox } of rows) {
      // With all else that the address bought of the link, so that it is told once.
      const told = await trx
        .updateTable('access_grant')
        .set({ told_version: version })
        .where('told_version', '<', version)
        .where('purchase_id', 'in', ({ selectFrom }) =>
          selectFrom('purchase')
            .where(sql<boolean>`${sql.raw(mailboxOf('purchase'))} = ${mailbox}`)
            .where('purchase.settled_at', 'is not', null)
            .where('purchase.link_id', '=', linkId)
            .select('purchase.id'),
        )
        .returning('id')
        .execute();
      const isNew = told.some((grant) => grant.id === id);
      if (isNew) await enqueue(trx, 'send-version-notice', { grantId: id, version }, now());
    }
    const last = rows.at(-1);
    if (!last || rows.length < BUYERS_AT_ONCE) return;
    await enqueue(trx, 'announce-version', { linkId, version, after: last.id }, now());
  });
}

export const versionMails = {
  /** Tells a buyer of a new version, unless it is gone or they no longer want to know. */
  async 'send-version-notice'({ db, links }, { grantId, version }) {
    const row = await db
      .selectFrom('access_grant')
      .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
      .innerJoin('link', 'link.id', 'access_grant.link_id')
      .leftJoin('seller', 'seller.owner_id', 'link.owner_id')
      .where('access_grant.id', '=', grantId)
      .where('access_grant.wants_versions', '=', 1)
      .where('access_grant.state', '=', 'active')
      .where('link.content_version', '=', version)
      .where('link.deleted_at', 'is', null)
      .where('link.taken_down_at', 'is', null)
      .select(['link.id', 'link.title', 'seller.name', 'purchase.language'])
      .select(({ fn }) => fn.coalesce('purchase.gift_email', 'purchase.buyer_email').as('mailbox'))
      .executeTakeFirst();
    if (!row?.mailbox) return [];
    const facts = {
      language: row.language,
      title: seenText(row.title),
      sellerName: row.name,
      linkId: row.id,
      version,
      personalUrl: links.personal(grantId),
      updatesUrl: links.updates(grantId),
    };
    return [{ to: row.mailbox, mail: 'versionNotice', facts }];
  },
} satisfies Partial<Gathers>;

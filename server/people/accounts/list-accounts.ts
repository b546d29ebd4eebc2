import { sql } from 'kysely';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits.ts';
import type { Database } from '../../ground/database/tables.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { isoTime } from '../../ground/lib/time.ts';

export type AccountView = Awaited<ReturnType<typeof listAccounts>>['accounts'][number];

/**
 * Accounts in the order of their addresses, by keyset: for operators.
 * @param prefix how their addresses begin, or a whole one, however it is written; '' for all
 * @param areOperators those of operators alone
 * @param token where the last page ended; null for the first one
 */
export async function listAccounts(
  { db, operatorEmails }: { db: Database; operatorEmails: readonly string[] },
  {
    prefix,
    token,
    areOperators = false,
  }: { prefix: string; token: string | null; areOperators?: boolean },
) {
  const beginning = canonicalAddress(prefix);
  const after = token === null ? null : Buffer.from(token, 'base64url').toString();
  const rows = await db
    .selectFrom('user')
    .leftJoin('operator', 'operator.user_id', 'user.id')
    .leftJoin('suspension', 'suspension.user_id', 'user.id')
    .leftJoin('account_quota', 'account_quota.user_id', 'user.id')
    .$if(beginning !== '', (query) =>
      query.where(sql<boolean>`substr("user".email, 1, ${[...beginning].length}) = ${beginning}`),
    )
    .$if(areOperators, (query) =>
      query.where(({ eb, or, and, selectFrom }) =>
        or([
          eb('user.id', 'in', selectFrom('operator').select('user_id')),
          and([
            eb('user.email', 'in', ['', ...operatorEmails]),
            sql<boolean>`"user"."emailVerified"`,
          ]),
        ]),
      ),
    )
    .$if(after !== null, (query) => query.where('user.email', '>', after ?? ''))
    .orderBy('user.email')
    .limit(DEFAULT_PAGE_SIZE + 1)
    .select(['user.id', 'user.email', 'user.firstName', 'user.emailVerified', 'user.createdAt'])
    .select(['operator.granted_at', 'suspended_at', 'suspension.reason as suspendedBecause'])
    // Null where the operator's settings hold.
    .select(['account_quota.bytes as quotaBytes', 'account_quota.links as quotaLinks'])
    .select('account_quota.uploads_a_day as quotaUploadsADay')
    .execute();
  const page = rows.slice(0, DEFAULT_PAGE_SIZE);
  const last = page.at(-1);
  if (!last) return { accounts: [], nextToken: null };
  const figures = await readFigures(
    db,
    page.map(({ id }) => id),
  );
  const accounts = page.map(
    ({ emailVerified, granted_at, suspended_at, createdAt, ...account }) => {
      const isConfirmed = Boolean(emailVerified);
      const isNamedOperator = isConfirmed && operatorEmails.includes(account.email);
      return {
        ...account,
        ...figures(account.id),
        isConfirmed,
        isNamedOperator,
        isOperator: isNamedOperator || granted_at !== null,
        createdAt: new Date(createdAt).toISOString(),
        suspendedAt: suspended_at === null ? null : isoTime(suspended_at),
      };
    },
  );
  const goesOn = rows.length > page.length;
  return { accounts, nextToken: goesOn ? Buffer.from(last.email).toString('base64url') : null };
}

/** What the accounts of a page have and sold, each kind by one query. */
async function readFigures(db: Database, ids: string[]) {
  const links = await db
    .selectFrom('link')
    .where('unlisted', 'in', [0, 1])
    .where('owner_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .groupBy('owner_id')
    .select(({ fn }) => ['owner_id', fn.countAll<number | string>().as('links')])
    .execute();
  const files = await db
    .selectFrom('file')
    .where('owner_id', 'in', ids)
    .groupBy('owner_id')
    .select(({ fn }) => ['owner_id', fn.sum<number | string | null>('size_bytes').as('bytes')])
    .execute();
  const sold = await db
    .selectFrom('seller_day')
    .where('owner_id', 'in', ids)
    .groupBy('owner_id')
    .select(({ fn }) => [
      'owner_id',
      fn.sum<number | string>('sales').as('sales'),
      fn.sum<number | string>('net_cents').as('net'),
      fn.sum<number | string>('returned_cents').as('returned'),
    ])
    .execute();
  return (id: string) => {
    const ofDays = sold.find(({ owner_id }) => owner_id === id);
    return {
      /** On sale. */
      links: Number(links.find(({ owner_id }) => owner_id === id)?.links ?? 0),
      /** Of all files, open uploads included. */
      usedBytes: Number(files.find(({ owner_id }) => owner_id === id)?.bytes ?? 0),
      sales: Number(ofDays?.sales ?? 0),
      /** The net of the sales, less what refunds and disputes took back. */
      earnedCents: Number(ofDays?.net ?? 0) - Number(ofDays?.returned ?? 0),
    };
  };
}

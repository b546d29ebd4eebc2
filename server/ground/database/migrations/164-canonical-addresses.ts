import { domainToASCII } from 'node:url';
import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * The addresses of purchases beside what was typed, in the one form in which they are compared. It
 * is null where that is no more than lower case: of what was bought before, and of what a version
 * before this one writes meanwhile.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of COLUMNS) await sql.raw(statement).execute(db);
  await fill(db, 'purchase', 'id', 'buyer_email', 'buyer_mailbox');
  await fill(db, 'purchase', 'id', 'gift_email', 'gift_mailbox');
  await fill(db, 'awaited_purchase', 'purchase_id', 'email', 'email');
  for (const statement of INDEXES) await sql.raw(statement).execute(db);
}

const COLUMNS = [
  'alter table purchase add column buyer_mailbox text',
  'alter table purchase add column gift_mailbox text',
  'drop index purchase_of_email',
  'drop index purchase_of_giver',
];

const INDEXES = [
  `create index purchase_of_email on purchase (coalesce(gift_mailbox, lower(gift_email),
    coalesce(buyer_mailbox, lower(buyer_email)))) where settled_at is not null`,
  `create index purchase_of_giver on purchase (coalesce(buyer_mailbox, lower(buyer_email)))
    where settled_at is not null and gift_email is not null`,
];

const AT_ONCE = 500;

async function fill(
  db: Kysely<never>,
  table: string,
  key: string,
  typed: string,
  canonical: string,
): Promise<void> {
  const address = sql.ref(typed);
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // In some languages, PostgreSQL's lower case of an I is no i.
  const isFolded = isSqlite ? sql`true` : sql`lower(${address}) = lower(${address} collate "C")`;
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; address: string }>`
      select ${sql.ref(key)} as id, ${address} as address from ${sql.table(table)}
      where ${sql.ref(key)} > ${after}
        and (octet_length(${address}) > length(${address}) or not (${isFolded}))
      order by ${sql.ref(key)} limit ${sql.lit(AT_ONCE)}`.execute(db);
    for (const row of rows) {
      await sql`update ${sql.table(table)} set ${sql.ref(canonical)} = ${canonicalAddress(row.address)}
        where ${sql.ref(key)} = ${row.id}`.execute(db);
    }
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

function canonicalAddress(typed: string): string {
  const folded = typed.trim().normalize('NFC').toLowerCase().normalize('NFC');
  const start = folded.lastIndexOf('@') + 1;
  const domain = folded.slice(start);
  if (/^[\0-\x7f]*$/.test(domain) || !/^[-.a-z0-9\u0080-\u{10ffff}]+$/u.test(domain)) return folded;
  return `${folded.slice(0, start)}${domainToASCII(domain) || domain}`;
}

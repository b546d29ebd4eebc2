import { join } from 'node:path';
import { sql } from 'kysely';
import { openSqlite } from '../server/ground/database/sqlite.ts';
import { readUserId, signUp } from '../tests/factories/factories.ts';

/** As many as a shop has that sells every day for years. */
const LINKS = 100_000;
/** Of these, those that are asked for: no cache of a processor holds them. */
const ASKED_FOR = 2_000;
/** Of these, those that are asked for so often that their pages are kept. */
export const POPULAR = 200;

/** An account with many links to web addresses, and the ids of some of them in no order. */
export async function openShop(
  padlink: { origin: string },
  dataDir: string,
): Promise<{ ownerId: string; ids: string[] }> {
  const ownerId = await readUserId(await signUp(padlink));
  return { ownerId, ids: await seedLinks(dataDir, ownerId) };
}

/** Puts them into the database of a running Padlink, created over the last months. */
async function seedLinks(dataDir: string, ownerId: string): Promise<string[]> {
  await using db = openSqlite(join(dataDir, 'padlink.sqlite'));
  const now = Date.now();
  return await db.transaction().execute(async (trx) => {
    await sql`
      insert or ignore into link_id (id, owner_id, reserved_at)
      with recursive number(i) as
        (select 1 union all select i + 1 from number where i < ${sql.lit(LINKS)})
      select lower(hex(randomblob(4))), ${ownerId}, ${now} from number`.execute(trx);
    await sql`
      insert into link (id, owner_id, type, title, url, price_cents, unlocked, paused, version,
        created_at, updated_at)
      select id, owner_id, 'link', 'Lecture notes ' || id, 'https://example.com/' || id,
        100 + abs(random()) % 400, 0, 0, 1, created_at, created_at
      from (select id, owner_id, ${now} - abs(random()) % 10000000000 as created_at from link_id)
      `.execute(trx);
    const links = trx.selectFrom('link').select('id').orderBy(sql`random()`).limit(ASKED_FOR);
    return (await links.execute()).map(({ id }) => id);
  });
}

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tests/harness/eventually.ts';
import { useFileStores } from '../../files/file-stores.test.support.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { deleteLink, deleteLinksOf } from './delete-link.ts';

describe('on PostgreSQL', () => {
  const files = useFileStores('postgres');
  const WAYS: [string, (db: Database, id: string) => Promise<unknown>][] = [
    ['alone', (db, id) => deleteLink({ db, now: () => 2 }, { author: { kind: 'operator' }, id })],
    ['with its account', (db, id) => transaction(db, (trx) => deleteLinksOf(trx, `of ${id}`, 2))],
  ];

  test.each(WAYS)(
    'a link that is deleted %s gives up the cover that it got meanwhile',
    async (way, remove) => {
      const { db } = files;
      const id = way === 'alone' ? '0000000a' : '0000000b';
      await sql`insert into link_id values (${id}, ${`of ${id}`}, 0)`.execute(db);
      await sql`insert into link (id, owner_id, type, url, price_cents, unlocked, paused, version,
    created_at, updated_at, cover, cover_width, cover_height) values (${id}, ${`of ${id}`}, 'link',
    'https://example.com/', 100, 0, 0, 1, 0, 0, ${`old ${id}`}, 1, 1)`.execute(db);
      const deleted = await transaction(db, async (trx) => {
        await trx
          .updateTable('link')
          .set({ cover: `new ${id}` })
          .where('id', '=', id)
          .execute();
        const removal = remove(db, id);
        await eventually(async () => {
          const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`.execute(db);
          expect(rows).toHaveLength(1);
        });
        return { removal };
      });
      await deleted.removal;
      const recorded = await db.selectFrom('unneeded_blob').select('blob').execute();
      expect(recorded.map(({ blob }) => blob)).toContain(`new ${id}`);
    },
  );
});

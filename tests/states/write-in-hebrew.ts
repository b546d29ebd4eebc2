import { type RawBuilder, sql } from 'kysely';
import type { App } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

/** How all that people wrote begins and ends then. */
export const BEGINNING = 'שלום';
export const END = 'עולם';

/** Columns with what people wrote; the log of acts takes no changes. */
const WRITTEN = {
  file: ['name'],
  link: ['title', 'description'],
  purchase: ['title', 'seller_name'],
  refund: ['reason'],
  report: ['words'],
  secret_key: ['name'],
  seller: ['name'],
  seller_page: ['about'],
  suspension: ['reason'],
  take_down: ['words', 'objection', 'answer'],
  user: ['firstName'],
};

/** Puts Hebrew words before and after all that people wrote in a shop; what is between is as before. */
export async function writeInHebrew(shop: Pick<App, 'env'>): Promise<void> {
  await withDatabase(shop, async (db) => {
    for (const [table, columns] of Object.entries(WRITTEN)) {
      for (const column of columns) {
        const written: RawBuilder<unknown> = sql`${`${BEGINNING} `} || ${sql.ref(column)} || ${` ${END}`}`;
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${written}`.execute(db);
      }
    }
  });
}

import { expect, test } from 'vitest';
import { createLink } from '../../server/catalog/links/create-link.ts';
import { deleteLink, deleteLinksOf } from '../../server/catalog/links/delete-link.ts';
import { updateLink } from '../../server/catalog/links/update-link.ts';
import { listLinks } from '../../server/catalog/listing/list-links.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import { useSeed } from '../factories/use-seed.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { withDatabase } from '../harness/with-database.ts';

describeOnBothDatabases('how many links hold a word', (database) => {
  const environment = useSeed(database, []);
  const using = (work: (db: Database) => Promise<void>) => withDatabase(environment, work);

  const sell = async (db: Database, owner: string, title: string) =>
    (
      await createLink(
        { db, minimumPriceCents: 1, providerMinimumCents: 1, now: () => 1 },
        { ownerId: owner, type: 'link', url: 'https://a.example/', price: 100, title },
      )
    ).id;
  const rename = (db: Database, owner: string, id: string, title: string) =>
    updateLink(
      { db, minimumPriceCents: 1, providerMinimumCents: 1, now: () => 2 },
      { author: { kind: 'creator', userId: owner }, id, title },
    );
  const remove = (db: Database, owner: string, id: string) =>
    deleteLink({ db, now: () => 3 }, { author: { kind: 'creator', userId: owner }, id });
  const find = async (db: Database, search: string) =>
    (await listLinks(db, [], { search })).links.map(({ id }) => id);
  async function countsOf(db: Database, ...words: string[]) {
    const rows = await db
      .selectFrom('search_word')
      .selectAll()
      .where('word', 'in', words)
      .orderBy('word')
      .execute();
    return rows.map(({ word, links }) => [word, links]);
  }

  test('stays the same however often a title is changed and changed back', () =>
    using(async (db) => {
      const id = await sell(db, 'ada', 'harp tuning');
      await sell(db, 'ada', 'harp strings');
      for (let change = 0; change < 5; change += 1) {
        await rename(db, 'ada', id, 'flute tuning');
        expect(await countsOf(db, 'flute', 'harp', 'tuning')).toEqual([
          ['flute', 1],
          ['harp', 1],
          ['tuning', 1],
        ]);
        await rename(db, 'ada', id, 'harp tuning');
        expect(await countsOf(db, 'flute', 'harp')).toEqual([['harp', 2]]);
      }
    }));

  test('falls when a link is deleted, once, and no row is left of a word of no link', () =>
    using(async (db) => {
      const id = await sell(db, 'ada', 'oboe reeds');
      const kept = await sell(db, 'ada', 'oboe');
      await remove(db, 'ada', id);
      await expect(remove(db, 'ada', id)).rejects.toThrow();
      expect(await countsOf(db, 'oboe', 'reeds')).toEqual([['oboe', 1]]);
      expect(await find(db, 'oboe')).toEqual([kept]);
    }));

  test('falls when all links of a creator are deleted, for these alone', () =>
    using(async (db) => {
      const kept = await sell(db, 'bob', 'cello bow');
      for (const title of ['cello bow', 'cello rosin']) await sell(db, 'eve', title);
      await transaction(db, (trx) => deleteLinksOf(trx, 'eve', 4));
      expect(await countsOf(db, 'bow', 'cello', 'rosin')).toEqual([
        ['bow', 1],
        ['cello', 1],
      ]);
      expect(await find(db, 'cello')).toEqual([kept]);
    }));

  test('is counted of the first 6 KiB of words, however many letters a character stands for', () =>
    using(async (db) => {
      // One character of four letters each: written out they are 20 KiB.
      const long = Array.from({ length: 160 }, (_, n) => `w${n}${'\ufdf2'.repeat(8)}`);
      const description = `first ${long.join(' ')} last`;
      const input = { type: 'link', url: 'https://a.example/', price: 100, description };
      const { id } = await createLink(
        { db, minimumPriceCents: 1, providerMinimumCents: 1, now: () => 1 },
        { ownerId: 'ada', ...input },
      );
      const { words } = await db
        .selectFrom('link_words')
        .select('words')
        .where('link_id', '=', id)
        .executeTakeFirstOrThrow();
      expect(Buffer.byteLength(words)).toBeLessThanOrEqual(6_144);
      expect(Buffer.byteLength(words)).toBeGreaterThan(6_000);
      expect(await countsOf(db, 'first', 'last')).toEqual([['first', 1]]);
    }));

  test('is what a search goes by: longer words of before are found by the index and never read', () =>
    using(async (db) => {
      const short = await sell(db, 'ada', 'tuba polish');
      const long = await sell(db, 'ada', 'tuba polish mouthpiece');
      const words = ` tuba polish mouthpiece ${'x'.repeat(6_144)} `;
      await db.updateTable('link_words').set({ words }).where('link_id', '=', long).execute();
      expect(await find(db, 'polish tuba')).toEqual(expect.arrayContaining([short, long]));
      await db.updateTable('search_word').set({ links: 5001 }).where('word', '=', 'tuba').execute();
      expect(await find(db, 'tuba polish')).toEqual([short]);
      expect(await find(db, 'tuba mouthpiece')).toEqual([]);
    }));

  test('stays where it is once too many links hold the word, and falls no more', () =>
    using(async (db) => {
      const id = await sell(db, 'ada', 'viola');
      await db
        .updateTable('search_word')
        .set({ links: 5001 })
        .where('word', '=', 'viola')
        .execute();
      await rename(db, 'ada', id, 'other');
      await rename(db, 'ada', id, 'viola');
      await remove(db, 'ada', id);
      expect(await countsOf(db, 'viola')).toEqual([['viola', 5001]]);
    }));

  test('is right after many links were written, changed and deleted at the same time', () =>
    using(async (db) => {
      const words = ['drum', 'gong', 'bell', 'chime', 'rattle'];
      const turned = (turn: number) => [...words.slice(turn), ...words.slice(0, turn)];
      await Promise.all(
        Array.from({ length: 12 }, async (_, link) => {
          const id = await sell(db, 'ada', turned(link % 5).join(' '));
          await rename(
            db,
            'ada',
            id,
            turned(link % 5)
              .slice(0, 2)
              .join(' '),
          );
          await rename(
            db,
            'ada',
            id,
            turned((link + 2) % 5)
              .slice(0, 3)
              .join(' '),
          );
          if (link >= 5) await remove(db, 'ada', id);
        }),
      );
      // Five links are left; each word is in three of them.
      expect(await countsOf(db, ...words)).toEqual([...words].sort().map((word) => [word, 3]));
    }));
});

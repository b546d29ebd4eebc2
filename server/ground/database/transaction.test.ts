import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeOnBothDatabases } from '../../../tests/harness/on-both-databases.ts';
import { setSellerName } from '../../catalog/sellers/seller-name.ts';
import { type FileStores, openFileStores } from '../../files/file-stores.test.support.ts';
import type { Change } from '../lib/changes.ts';
import type { Database } from './tables.ts';
import { announce, publishBy, transaction } from './transaction.ts';

const gone = (id: string): Change => ({ kind: 'session-ended', id, ownerId: id });

describeOnBothDatabases('What is announced', (kind) => {
  let files: FileStores;
  let db: Database;
  /** What was published, with what a listener read at once. */
  let heard: { id: string; read: Promise<string | undefined> }[] = [];

  beforeAll(async () => {
    files = await openFileStores(kind);
    db = files.db;
    publishBy(db, ({ id }) => heard.push({ id, read: readName(id) }));
  });
  afterAll(() => files.close());
  afterEach(async () => {
    await Promise.all(heard.map(({ read }) => read));
    heard = [];
  });

  async function readName(ownerId: string): Promise<string | undefined> {
    const seller = await db
      .selectFrom('seller')
      .where('owner_id', '=', ownerId)
      .select('name')
      .executeTakeFirst();
    return seller?.name ?? undefined;
  }

  test('in a transaction is published once, after its commit', async () => {
    const name = await transaction(db, async (trx) => {
      const kept = await setSellerName(trx, { ownerId: 'ada', name: 'Ada' });
      await trx.selectFrom('link').select('id').execute();
      expect(heard).toEqual([]);
      return kept;
    });
    expect(name).toBe('Ada');
    expect(heard.map(({ id }) => id)).toEqual(['ada']);
    expect(await heard[0]?.read).toBe('Ada');
  });

  test('in a transaction that is rolled back is never published', async () => {
    const broken = transaction(db, async (trx) => {
      await setSellerName(trx, { ownerId: 'bob', name: 'Bob' });
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(heard).toEqual([]);
    expect(await readName('bob')).toBeUndefined();
  });

  test('in a transaction within another waits for the commit of the outer one', async () => {
    await transaction(db, async (outer) => {
      await transaction(outer, async (inner) => announce(inner, gone('inner')));
      announce(outer, gone('outer'));
      expect(heard).toEqual([]);
    });
    expect(heard.map(({ id }) => id)).toEqual(['inner', 'outer']);
  });

  test('by a single statement is published at once', async () => {
    await setSellerName(db, { ownerId: 'eve', name: 'Eve' });
    expect(heard.map(({ id }) => id)).toEqual(['eve']);
    expect(await heard[0]?.read).toBe('Eve');
  });

  test('where nobody would publish it is refused', async () => {
    const unheard = db.transaction().execute(async (trx) => announce(trx, gone('x')));
    await expect(unheard).rejects.toThrow('nobody will publish');
  });
});

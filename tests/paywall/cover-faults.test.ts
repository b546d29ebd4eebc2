import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDiskStore } from '../../server/adapters/storage/disk-store.ts';
import { setCover } from '../../server/catalog/links/cover.ts';
import { sweepUnneededBlobs } from '../../server/files/sweep.ts';
import { openSqlite } from '../../server/ground/database/sqlite.ts';
import type { CommitLog } from '../../server/ground/database/sqlite-driver.ts';
import { createLink, graphql, signUp } from '../factories/factories.ts';
import { listBlobs } from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describe('a cover when something fails beside it', () => {
  // Its transactions run beside each other.
  const app = useApp({ database: 'postgres' });
  let creator: Person;
  let picture: Buffer<ArrayBuffer>;

  beforeAll(async () => {
    creator = await signUp(app);
    const create = { width: 20, height: 20, channels: 3 as const, background: '#204060' };
    picture = (await sharp({ create }).png().toBuffer()) as Buffer<ArrayBuffer>;
  });

  const newLink = async () =>
    (await createLink(creator, { type: 'link', url: 'https://example.com/' })).id;
  const send = (id: string) => creator.fetch(`/p/${id}/cover`, { method: 'PUT', body: picture });

  test('a new cover stays when the one before it cannot be removed', async () => {
    const id = await newLink();
    await send(id);
    // Where this is a file, nothing can be put into quarantine.
    const quarantine = join(app.dataDir, 'blobs', 'quarantine');
    await writeFile(quarantine, '');
    const cover = await readJson<{ url: string }>(await send(id));
    expect((await creator.fetch(cover.url)).status).toBe(200);
    expect(await listBlobs(app.dataDir)).toHaveLength(2);
    await rm(quarantine);
    await creator.fetch(`/p/${id}/cover`, { method: 'DELETE' });
    const store = await openDiskStore(app.dataDir);
    await withDatabase(app, (db) => sweepUnneededBlobs({ db, store, now: Date.now }));
  });

  test('a new cover is refused where it would take the room that is kept for the database', async () => {
    const id = await newLink();
    const store = {
      ...(await openDiskStore(app.dataDir)),
      measureSpace: async () => ({ free: 5 + 2, total: 100 }),
    };
    const set = (bytes: Uint8Array) =>
      withDatabase(app, (db) =>
        setCover(
          { db, store, notRemoved: () => {}, now: Date.now },
          { author: { kind: 'operator' }, id, cover: { bytes, width: 1, height: 1 } },
        ),
      );
    await expect(set(new Uint8Array(3))).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message: 'The server does not have enough space for this picture. Please try again later.',
    });
    expect(await listBlobs(app.dataDir)).toEqual([]);
    expect(await set(new Uint8Array(2))).toMatchObject({ cover_width: 1 });
    await creator.fetch(`/p/${id}/cover`, { method: 'DELETE' });
  });

  test('a link that is deleted while its cover is prepared gets none, and no bytes stay', async () => {
    const id = await newLink();
    await withDatabase(app, async (db) => {
      const answer = await db.transaction().execute(async (transaction) => {
        await transaction.updateTable('link').set({ deleted_at: 1 }).where('id', '=', id).execute();
        const sent = send(id);
        // Not by the transaction: it would see what it saw first.
        await eventually(async () => {
          const { rows } = await sql`select pid from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
          expect(rows).toHaveLength(1);
        });
        return { sent };
      });
      expect((await answer.sent).status).toBe(404);
    });
    expect(await listBlobs(app.dataDir)).toEqual([]);
  });
});

describe('a cover whose commit the disk does not confirm', () => {
  const app = useApp();

  test('is there where the database has it all the same', async () => {
    const creator = await signUp(app);
    const { id } = await createLink(creator, { type: 'link', url: 'https://example.com/' });
    const store = await openDiskStore(app.dataDir);
    // Its record, before the first byte, is the first thing to be flushed.
    const flushes = [async () => {}];
    const openLog = async (): Promise<CommitLog> => ({
      datasync: () => flushes.shift()?.() ?? Promise.reject(new Error('EIO')),
      close: async () => {},
    });
    const db = openSqlite(join(app.dataDir, 'padlink.sqlite'), { openLog });
    const cover = { bytes: new Uint8Array(3), width: 1, height: 1 };
    const set = setCover(
      { db, store, notRemoved: () => {}, now: Date.now },
      { author: { kind: 'operator' }, id, cover },
    );
    await expect(set).rejects.toThrow('The disk did not take the last changes');
    await db.destroy();
    const { getPaywallLink: link } = await graphql<{ getPaywallLink: { cover: { url: string } } }>(
      creator,
      `{ getPaywallLink(id: "${id}") { cover { url } } }`,
    );
    expect((await creator.fetch(link.cover.url)).status).toBe(200);
  });
});

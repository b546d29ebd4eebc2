import { beforeAll, expect, test } from 'vitest';
import { openDiskStore } from '../../server/adapters/storage/disk-store.ts';
import type { Overrides } from '../../server/app.ts';
import { sweepUnsoldFiles } from '../../server/delivery/downloads/delete-file.ts';
import { sweepUnneededBlobs } from '../../server/files/sweep.ts';
import { findWrongStatistics } from '../../server/money/payments/check-statistics.ts';
import {
  PASSWORD,
  sellFile,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createSecretKey, programWith } from '../factories/secret-key.ts';
import {
  deleteFile,
  deleteLink as deleteLinkOf,
  listBlobs,
  storedKeys,
} from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

describeOnSqliteFirst('a finished file', (database) => {
  let ahead = 0;
  const overrides: Overrides = { now: () => Date.now() + ahead };
  const app = useApp({ database, overrides });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const deleteLink = (id: string) => deleteLinkOf(seller, id);
  const keys = () => storedKeys(seller);

  test('that no link sells is deleted by its owner, bytes and all', async () => {
    const before = await listBlobs(app.dataDir);
    const { key } = await uploadFile(seller, { name: 'draft.txt', bytes: new Uint8Array(10) });
    expect(await deleteFile(seller, key)).toMatchObject({ status: 204 });
    expect(await keys()).not.toContain(key);
    expect(await listBlobs(app.dataDir)).toEqual(before);
  });

  test('stays while its link is on sale, and goes when the link is gone', async () => {
    const { id, key } = await sellFile(seller);
    expect(await deleteFile(seller, key ?? '')).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
    await deleteLink(id);
    expect(await deleteFile(seller, key ?? '')).toMatchObject({ status: 204 });
  });

  test('stays with its buyers after the link was deleted', async () => {
    const { id, key, bytes } = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await deleteLink(id);
    expect(await deleteFile(seller, key ?? '')).toMatchObject({ status: 409 });
    const download = await fetch(await storageUrl(buyer, key ?? ''));
    expect(new Uint8Array(await download.arrayBuffer())).toEqual(bytes);
  });

  test('stays while somebody is at the checkout, though the link was deleted since', async () => {
    const { id, key } = await sellFile(seller);
    await readJson(await postJson(createPerson(app), '/prod/checkout', { paywallId: id }));
    await deleteLink(id);
    expect(await deleteFile(seller, key ?? '')).toMatchObject({ status: 409 });
  });

  test('that no link ever had goes with the account of its owner', async () => {
    const leaving = await signUp(app);
    const before = await listBlobs(app.dataDir);
    const { key } = await uploadFile(leaving, { name: 'draft.txt', bytes: new Uint8Array(10) });
    const sold = await sellFile(leaving);
    const deletion = { confirmation: leaving.email, password: PASSWORD };
    await readJson(await postJson(leaving, '/api/auth/delete-user', deletion));
    await withDatabase(app, async (db) => {
      const files = db
        .selectFrom('file')
        .where('key', 'in', [key, sold.key ?? ''])
        .select('key');
      expect(await files.execute()).toEqual([{ key: sold.key }]);
      const store = await openDiskStore(app.dataDir);
      await sweepUnneededBlobs({ db, store, now: Date.now });
    });
    expect((await listBlobs(app.dataDir)).length).toBe(before.length + 1);
  });

  test('is deleted by nobody else, and its key tells a stranger nothing', async () => {
    const { key } = await sellFile(seller);
    const stranger = await signUp(app);
    const answer = await deleteFile(stranger, key ?? '');
    expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await deleteFile(stranger, 'public/00000000-none.txt')).toEqual(answer);
    expect(await deleteFile(createPerson(app), key ?? '')).toMatchObject({ status: 401 });
  });

  test('of a link deleted a month ago is swept away unless somebody bought it', async () => {
    const sold = await sellFile(seller);
    const unsold = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    for (const { id } of [sold, unsold]) await deleteLink(id);
    // The seller's session is over by then; a key lasts.
    const program = programWith(app, (await createSecretKey(seller)).secret);
    const store = await openDiskStore(app.dataDir);
    const almost = Date.now() + MONTH_MS - MINUTE_MS;
    const swept = await withDatabase(app, (db) =>
      sweepUnsoldFiles({ db, store, now: () => almost }),
    );
    expect(swept).toEqual({ quarantined: 0, quarantinedBytes: 0 });
    ahead = MONTH_MS + MINUTE_MS;
    overrides.sweepEveryMs = 100;
    await app.restart();
    await eventually(async () => expect(await storedKeys(program)).not.toContain(unsold.key));
    expect(await storedKeys(program)).toContain(sold.key);
    // What was deleted counts as such until it is removed.
    expect(await withDatabase(app, findWrongStatistics)).toEqual([]);
  });
});

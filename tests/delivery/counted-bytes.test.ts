import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { importDeliveries } from '../../server/delivery/downloads/import-deliveries.ts';
import { mergeRanges } from '../../server/delivery/downloads/record-delivery.ts';
import {
  createLink,
  graphql,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const SIZES = [1_000, 3_000];

describeOnSqliteFirst('what a buyer was sent', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let files: { key: string }[];
  let id: string;

  beforeAll(async () => {
    seller = await signUp(app);
    files = await Promise.all(
      SIZES.map((size, index) =>
        uploadFile(seller, { name: `${index}.bin`, bytes: new Uint8Array(size) }),
      ),
    );
    const [first] = files;
    id = (await createLink(seller, { key: first?.key, files: files.map(({ key }) => key) })).id;
  });

  async function buy() {
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    return buyer;
  }
  const fetchPart = async (url: string, range?: string) =>
    (await fetch(url, range ? { headers: { range } } : {})).arrayBuffer();
  const seeDelivery = async () => {
    const { listSales } = await graphql<{ listSales: { items: { delivery: unknown }[] } }>(
      seller,
      'query { listSales { items { delivery { state percent } } } }',
    );
    return listSales.items[0]?.delivery;
  };
  const expectDelivery = (state: string, percent: number) =>
    eventually(async () => expect(await seeDelivery()).toEqual({ state, percent }));

  test('adds up from parts in any order, and counts no byte twice', { tags: 'long' }, async () => {
    const buyer = await buy();
    await expectDelivery('unopened', 0);
    const [first = '', second = ''] = await Promise.all(
      files.map(({ key }) => storageUrl(buyer, key)),
    );
    await Promise.all(
      ['bytes=500-999', 'bytes=0-299', 'bytes=100-499', 'bytes=0-9'].map((range) =>
        fetchPart(first, range),
      ),
    );
    await expectDelivery('partly', 25);
    await fetchPart(first);
    await fetchPart(second, 'bytes=0-2998');
    await expectDelivery('partly', 99);
    const csv = async () => (await seller.fetch('/dashboard/sales.csv')).text();
    expect(await csv()).toMatch(/,99%,,\r\n$/);
    await fetchPart(second, 'bytes=-1');
    await expectDelivery('delivered', 100);
    expect(await csv()).toMatch(/,delivered,,\r\n$/);
  });

  test('is complete by the archive of all files', async () => {
    const buyer = await buy();
    const way = (await buyer.fetch(`/p/${id}/content.zip`)).headers.get('location') ?? '';
    await fetchPart(app.origin + way, 'bytes=0-1999');
    await expectDelivery('partly', 47);
    await fetchPart(app.origin + way, 'bytes=1990-');
    await expectDelivery('delivered', 100);
  });

  test('is of what was bought, not of newer versions that came with it', async () => {
    const buyer = await buy();
    const bought = await storageUrl(buyer, files[0]?.key ?? '');
    const newer = await uploadFile(seller, { name: 'new.bin', bytes: new Uint8Array(5_000) });
    await updateLink(seller, { id, files: [newer.key] });
    await fetchPart(await storageUrl(buyer, newer.key));
    await eventually(async () => {
      const rows = await withDatabase(app, (db) =>
        db.selectFrom('delivered_file').where('file_key', '=', newer.key).select('bytes').execute(),
      );
      expect(rows).toEqual([{ bytes: 5_000 }]);
    });
    await expectDelivery('unopened', 0);
    await fetchPart(bought);
    await expectDelivery('partly', 25);
    await updateLink(seller, { id, files: files.map(({ key }) => key) });
  });

  test('is read from a log of nginx, as often as one likes', async () => {
    const buyer = await buy();
    const [first = '', second = ''] = await Promise.all(
      files.map(async ({ key }) => new URL(await storageUrl(buyer, key)).pathname),
    );
    const line = (uri: string, status: number, bytes: number, content_range = '') =>
      JSON.stringify({ method: 'GET', uri, status, bytes, content_range });
    const log = join(app.dataDir, 'nginx.log');
    const lines = [
      line(first, 200, 1_000),
      line(second, 206, 500, 'bytes 1000-1999/3000'),
      line(second, 206, 900, ''),
      line(second.replace(/.\//, 'x/'), 200, 3_000),
      line(first, 404, 20),
      'not json',
    ];
    writeFileSync(log, lines.join('\n'));
    for (let time = 0; time < 2; time++) {
      const { stdout } = await runCli(app.env, 'deliveries', 'import', log);
      expect(stdout).toContain('counted: 2. Other lines: 4.');
      await expectDelivery('partly', 37);
    }
    writeFileSync(log, line(second, 200, 3_000));
    await runCli(app.env, 'deliveries', 'import', log);
    await expectDelivery('delivered', 100);
    const rows = await withDatabase(app, (db) =>
      db.selectFrom('delivered_file').select('ranges').orderBy('ranges').execute(),
    );
    expect(new Set(rows.map(({ ranges }) => ranges))).toEqual(
      new Set(['[[0,1000]]', '[[0,3000]]', '[[0,5000]]']),
    );

    // That of a purchase that was removed since is skipped.
    const right = { kind: 'grant', grantId: 'removed' } as const;
    const ticket = { linkId: null, fileKey: files[0]?.key ?? '', right, expiresAt: 0 };
    const removed = (async function* () {
      yield lines[0] ?? '';
    })();
    expect(
      await withDatabase(app, (db) => importDeliveries(db, { read: () => ticket }, removed)),
    ).toEqual({ counted: 0, skipped: 1 });
  });
});

describe('ranges', () => {
  test('hold the bytes of all that was sent, and no more than a hundred of them', () => {
    const range = fc
      .tuple(fc.nat(500), fc.nat(20))
      .map(([first, length]): [number, number] => [first, first + length + 1]);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 60 }), (ranges) => {
        const bytes = (some: [number, number][]) =>
          new Set(
            some.flatMap(([first, end]) =>
              Array.from({ length: end - first }, (_, i) => first + i),
            ),
          );
        const merged = mergeRanges(structuredClone(ranges));
        expect(bytes(merged)).toEqual(bytes(ranges));
        expect(merged.every(([first], i) => i === 0 || first > (merged[i - 1]?.[1] ?? 0))).toBe(
          true,
        );
      }),
    );
    const many = Array.from({ length: 300 }, (_, i): [number, number] => [
      i * 10,
      i * 10 + 1 + (i % 3),
    ]);
    expect(mergeRanges(many)).toEqual(many.filter((_, i) => i % 3 === 2));
  });
});

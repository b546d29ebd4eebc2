import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { createLink, signUp, storageUrl, updateLink, uploadFile } from '../factories/factories.ts';
import { buyOnce, waitUntilIdle } from '../factories/money.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import type { Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const env = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) };

describeOnSqliteFirst('what was bought', (database) => {
  const app = useApp({ database, env });
  let seller: Person;
  /** The names of the purchases and files, by their ids and keys. */
  const names = new Map<string, string>();

  async function upload(name: string, size: number): Promise<string> {
    const { key } = await uploadFile(seller, { name, bytes: new Uint8Array(size) });
    names.set(key, name);
    return key;
  }

  const sellFiles = (...keys: string[]) =>
    createLink(seller, { key: keys[0] ?? '', files: keys }).then(({ id }) => id);

  async function buy(name: string, linkId: string, ...downloads: string[]): Promise<Person> {
    const { buyer } = await buyOnce(seller, sandboxPort, linkId);
    await withDatabase(app, async (db) => {
      const newest = await db
        .selectFrom('access_grant')
        .orderBy('position', 'desc')
        .select('purchase_id')
        .executeTakeFirstOrThrow();
      names.set(newest.purchase_id, name);
    });
    await download(buyer, ...downloads);
    return buyer;
  }

  async function download(buyer: Person, ...keys: string[]): Promise<void> {
    for (const key of keys) await (await fetch(await storageUrl(buyer, key))).bytes();
  }

  const read = () =>
    withDatabase(app, async (db) => {
      const grants = await db
        .selectFrom('access_grant')
        .select(['purchase_id', 'size_bytes'])
        .orderBy('position')
        .execute();
      const delivered = await db
        .selectFrom('delivered_file')
        .innerJoin('access_grant', 'access_grant.id', 'delivered_file.grant_id')
        .orderBy('access_grant.position')
        .orderBy('delivered_file.bytes')
        .select(['purchase_id', 'file_key', 'bought'])
        .execute();
      return {
        bytes: grants.map(({ purchase_id, size_bytes }) => [names.get(purchase_id), size_bytes]),
        delivered: delivered.map(({ purchase_id, file_key, bought }) => [
          ...[names.get(purchase_id), names.get(file_key), bought],
        ]),
      };
    });

  const KNOWN = {
    bytes: [
      ['two files', 300],
      ['an address', null],
      ['a bundle', 700],
    ],
    delivered: [
      ['two files', 'of-100', 1],
      ['two files', 'of-800', 0],
      ['a bundle', 'of-100', 1],
      ['a bundle', 'of-400', 1],
    ],
  };

  beforeAll(async () => {
    seller = await signUp(app);
    const [first, shared, third, newer] = await Promise.all(
      [100, 200, 400, 800].map((size) => upload(`of-${size}`, size)),
    );
    if (!first || !shared || !third || !newer) throw new Error('A file was not uploaded');
    const two = await sellFiles(first, shared);
    const other = await sellFiles(shared, third);
    const early = await buy('two files', two, first);
    const address = { type: 'link', url: 'https://example.com/', price: 300 };
    await buy('an address', (await createLink(seller, address)).id);
    const bundle = { type: 'bundle', price: 900, parts: [two, other] };
    const { id } = await createLink(seller, bundle);
    await buy('a bundle', id, first, third);
    await updateLink(seller, { id: two, files: [newer] });
    await download(early, newer);
    await eventually(async () => expect(await read()).toEqual(KNOWN));
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
  });

  const DRIFTS: [string, RawBuilder<unknown>, RegExp][] = [
    [
      'sold by an older process',
      sql`update access_grant set size_bytes = null`,
      /^The grant of purchase \S+ includes 0 bytes; its files have 300: run ledger rebuild\.$/m,
    ],
    [
      'said of a newer version',
      sql`update delivered_file set bought = 1`,
      /^What was sent of file \S+ counts as bought with purchase \S+, which did not include it: run ledger rebuild\.$/,
    ],
    [
      'not said of files that were bought',
      sql`update delivered_file set bought = 0`,
      /^What was sent of file \S+ does not count as bought with purchase \S+, which included it:/,
    ],
  ];

  test.each(DRIFTS)('is found and kept anew where it was %s', async (_title, drift, named) => {
    const faults = await withDatabase(app, async (db) => {
      expect(await checkLedger(db)).toEqual([]);
      await drift.execute(db);
      return checkLedger(db);
    });
    expect(faults.join('\n')).toMatch(named);
    expect(await runCli(app.env, 'ledger', 'rebuild')).toMatchObject({
      status: 0,
      stdout: `Sums that were wrong and are kept anew: ${faults.length}.\n`,
    });
    expect(await read()).toEqual(KNOWN);
  });
});

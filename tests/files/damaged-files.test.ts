import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  graphql,
  publishableKey,
  seeLink,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describeOnSqliteFirst('a stored file', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const verify = () => runCli(app.env, 'storage', 'verify');

  const blobOf = async (key: string) => {
    const file = await withDatabase(app, (db) =>
      db.selectFrom('file').where('key', '=', key).select('blob').executeTakeFirstOrThrow(),
    );
    return join(app.dataDir, 'blobs', file.blob);
  };

  /** A file of 1,000 bytes with so many buyers, and the path of its blob. */
  async function sell(buyers: number) {
    const { id, key, bytes } = await sellFile(seller, { name: 'plan.pdf', size: 1000 });
    const people = Array.from({ length: buyers }, () => createPerson(app));
    for (const person of people) {
      await payFor(person, id);
      await waitUntilUnlocked(person, id);
    }
    return { id, key: key ?? '', bytes, people, blob: await blobOf(key ?? '') };
  }

  const askFault = async (person: Person, id: string) => {
    const query = 'query ($id: ID!) { getPaywallLink(id: $id) { fault } }';
    const { getPaywallLink } = await graphql<{ getPaywallLink: { fault: string | null } }>(
      person,
      query,
      { id },
      person === seller ? {} : await publishableKey(app),
    );
    return getPaywallLink.fault;
  };

  test('that is whole is verified, sold and delivered', async () => {
    const { id, key } = await sell(1);
    expect(await verify()).toMatchObject({
      status: 0,
      stdout: 'Every stored file is as it was uploaded.\n',
    });
    expect(await askFault(seller, id)).toBeNull();
    expect((await seller.fetch(await storageUrl(seller, key))).status).toBe(200);
  });

  test('whose bytes were changed is found by its hash, and named until it is brought back', async () => {
    const { id, bytes, blob } = await sell(1);
    writeFileSync(
      blob,
      bytes.map((byte) => byte ^ 1),
    );
    const report = await verify();
    expect(report.status).toBe(1);
    expect(report.stdout).toMatch(
      new RegExp(`^Link ${id}: .* was changed: its SHA-256 is [0-9a-f]{64} instead of .* 1 buyer`),
    );
    writeFileSync(blob, bytes);
    expect((await verify()).status).toBe(0);
  });

  test.each([
    ['missing', (blob: string) => rmSync(blob), 'is missing'],
    ['cut short', (blob: string) => truncateSync(blob, 500), 'has 500 bytes'],
    ['longer than it was', (blob: string) => truncateSync(blob, 1001), 'has 1,001 bytes'],
  ])(
    'that is %s is delivered and sold no more, and all who need to know are told',
    { tags: 'long' },
    async (_what, harm, found) => {
      const { id, key, bytes, people, blob } = await sell(2);
      const [buyer] = people as [Person, Person];
      const url = await storageUrl(buyer, key);
      harm(blob);

      for (const init of [{}, { headers: { range: 'bytes=0-99' } }, { method: 'HEAD' }]) {
        const answer = await buyer.fetch(url, init);
        expect(answer.status).toBe(500);
        expect(answer.headers.get('content-disposition')).toBeNull();
        const body = await answer.text();
        if (init.method !== 'HEAD')
          expect(JSON.parse(body)).toMatchObject({ code: 'FILE_DAMAGED' });
      }
      const content = await buyer.fetch(`/p/${id}/content`);
      const page = await buyer.fetch(content.headers.get('location') ?? '', {
        headers: { accept: 'text/html' },
      });
      expect(page.status).toBe(500);
      expect(await page.text()).toContain('This file is damaged on our side');

      const visitor = createPerson(app);
      const refused = await postJson(visitor, '/prod/checkout', { paywallId: id });
      expect(refused.status).toBe(500);
      expect(await refused.json()).toMatchObject({
        code: 'FILE_DAMAGED',
        detail: expect.stringContaining('Nothing was charged'),
      });
      const form = { method: 'POST', body: new URLSearchParams({ paywallId: id }) };
      expect(await (await visitor.fetch('/prod/checkout', form)).text()).toContain(
        'cannot be bought',
      );

      expect(await askFault(seller, id)).toContain(`“plan.pdf” ${found}`);
      expect(await askFault(visitor, id)).toBeNull();
      expect(await (await seller.fetch(`/p/${id}`)).text()).toContain(`“plan.pdf” ${found}`);
      expect(await (await visitor.fetch(`/p/${id}`)).text()).not.toContain(found);

      const report = await verify();
      expect(report.status).toBe(1);
      expect(report.stdout.trim().split('\n')).toEqual([
        expect.stringMatching(
          new RegExp(
            `^Link ${id}: the file “plan\\.pdf” \\(${key.replaceAll('.', '\\.')}, blob [0-9a-f]{32}\\) ${found}.* 1,000.* 2 buyers`,
          ),
        ),
      ]);

      // A replacement can be sold; the buyers' file is still named.
      const other = await uploadFile(seller, { name: 'new.pdf', bytes: new Uint8Array(9) });
      await updateLink(seller, { id, key: other.key });
      expect((await postJson(visitor, '/prod/checkout', { paywallId: id })).status).toBe(200);
      expect(await verify()).toMatchObject({
        status: 1,
        stdout: expect.stringContaining(`Link ${id}`),
      });

      // Brought back from a backup.
      writeFileSync(blob, bytes);
      expect((await verify()).status).toBe(0);
      const whole = await buyer.fetch(url);
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes);
      expect(await seeLink(buyer, id)).toMatchObject({ key });
    },
  );
});

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  askGraphql,
  createLink,
  PASSWORD,
  seeLink,
  sellFile,
  signUp,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const CREATE = `mutation { createPaywallLink(
  input: { type: "link", url: "https://example.com/", unlocked: false, price: 500 }
) { id } }`;

const answerOf = async (response: Response) => {
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  return { status: response.status, code, detail };
};

const signUpAnew = (app: App) =>
  postJson(createPerson(app), '/api/auth/sign-up/email', {
    email: `${randomBytes(6).toString('hex')}@example.com`,
    password: PASSWORD,
    name: 'Ada',
    firstName: 'Ada',
  });

const full = {
  status: 507,
  code: 'STORAGE_FULL',
  detail: expect.stringContaining('disk is full or write-protected'),
};

/** Everything that would store something says why it does not. */
async function expectRefusals(app: App, seller: Person, id: string): Promise<void> {
  expect(await answerOf(await signUpAnew(app))).toEqual(full);
  const { errors } = await askGraphql(seller, CREATE);
  expect(errors).toMatchObject([{ message: full.detail, extensions: { code: 'STORAGE_FULL' } }]);
  const visitor = createPerson(app);
  expect(await answerOf(await postJson(visitor, '/prod/checkout', { paywallId: id }))).toEqual(
    full,
  );
  const form = { method: 'POST', body: new URLSearchParams({ paywallId: id }) };
  const page = await visitor.fetch('/prod/checkout', form);
  expect(page.status).toBe(507);
  expect(await page.text()).toContain('disk is full or write-protected');
  // What needs no room goes on.
  expect(await seeLink(visitor, id)).toMatchObject({ unlocked: false });
}

describe.each([
  ['disk is full', '53100'],
  ['database may only be read', '25006'],
])('a PostgreSQL whose %s', (_what, code) => {
  const app = useApp({ database: 'postgres' });

  test('is said to whoever would store something, and all goes on afterwards', async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    await withDatabase(app, async (db) => {
      await sql`create function refuse() returns trigger language plpgsql as $$
        begin raise exception using errcode = ${sql.lit(code)}; end $$`.execute(db);
      const tables = ['"user"', 'link', 'purchase'].map((table) => sql.raw(table));
      for (const table of tables) {
        await sql`create trigger refuse before insert on ${table} execute function refuse()`.execute(
          db,
        );
      }
      await expectRefusals(app, seller, id);
      await sql`drop function refuse cascade`.execute(db);
    });
    expect((await signUpAnew(app)).status).toBe(200);
    await createLink(seller, { type: 'link', url: 'https://example.com/' });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  });
});

/** Uploads until there is no room: everybody still signs up, sells and buys. */
async function expectShopToGoOn(app: App, seller: Person): Promise<void> {
  for (const mebibytes of [32, 4]) {
    const bytes = new Uint8Array(mebibytes * 1024 ** 2);
    const fill = async () => {
      for (;;) await uploadFile(seller, { name: 'large.bin', bytes });
    };
    await expect(fill()).rejects.toThrow(
      'The server does not have enough space for a file of this size',
    );
  }
  expect((await signUpAnew(app)).status).toBe(200);
  const { id } = await createLink(seller, { type: 'link', url: 'https://example.com/' });
  const buyer = createPerson(app);
  await payFor(buyer, id);
  await waitUntilUnlocked(buyer, id);
  expect((await fetch(`${app.origin}/readyz`)).status).toBe(200);
}

test('a disk without a byte of room is said to whoever would store something, and loses nothing', async () => {
  const disk = mountSmallDisk(128);
  if (!disk) return skipWithout('mount');
  onTestFinished(disk.remove);
  const app = await startApp({ env: { DATA_DIR: disk.path } });
  onTestFinished(app.stop);
  const seller = await signUp(app);
  const { id } = await sellFile(seller);
  const buyer = createPerson(app);
  const hosted = await checkOut(buyer, id);
  const kept: string[] = [];
  await expectShopToGoOn(app, seller);
  disk.fill();
  // What SQLite has laid by is used up first.
  await eventually(async () => {
    const { data } = await askGraphql<{ createPaywallLink: { id: string } | null }>(seller, CREATE);
    if (!data?.createPaywallLink) return;
    kept.push(data.createPaywallLink.id);
    throw new Error('There is room.');
  });
  await expectRefusals(app, seller, id);
  await eventually(async () => {
    const readiness = await fetch(`${app.origin}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({ faults: { storage: 'The disk is full.' } });
  });

  disk.empty();
  expect((await payAt(buyer, hosted)).status).toBe(303);
  await waitUntilUnlocked(buyer, id);
  expect((await signUpAnew(app)).status).toBe(200);
  await app.restart();
  const url = 'https://example.com/';
  for (const link of kept) expect(await seeLink(seller, link)).toMatchObject({ url });
  await waitUntilUnlocked(buyer, id);
});

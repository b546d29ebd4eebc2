import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { readDeliveryProgress } from '../../server/delivery/downloads/delivery-progress.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  createLink,
  graphql,
  PASSWORD,
  publishableKey,
  readBalance,
  readCode,
  readMail,
  readUserId,
  seeLink,
  sellFile,
  signIn,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { createBucket, s3Settings } from '../harness/s3.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { createSubscription } from '../harness/start-push-service.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const BUYER = 'guest@example.com';

/** The same browser after the domain has moved. */
const comeBack = (person: Person, app: App) => {
  const later = createPerson(app);
  for (const [name, value] of person.cookies) {
    if (name.includes('claim')) later.cookies.set(name, value);
  }
  return later;
};

const hasBytes = async (person: Person, id: string, bytes: Uint8Array) => {
  const { key } = await waitUntilUnlocked(person, id);
  expect(await (await fetch(await storageUrl(person, key ?? ''))).bytes()).toEqual(bytes);
};

const expectInOrder = async (app: App) =>
  expect(await runCli(app.env, 'ledger', 'check')).toMatchObject({
    status: 0,
    stdout: 'The ledger is in order.\n',
  });

/** What of the account could still be sold or returned, and its end. */
const STILL_UNDER_WAY = [
  [
    "update purchase set state = 'processing' where state = 'expired'",
    "update purchase set state = 'expired' where state = 'processing'",
  ],
  [
    "update refund set state = 'pending' where state = 'succeeded'",
    "update refund set state = 'succeeded' where state = 'pending'",
  ],
] as const;

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const QUIET = {
  day: 1,
  views: 0,
  checkouts: 0,
  swept_checkouts: 0,
  sales: 0,
  refunds: 0,
  net_cents: 0,
  returned_cents: 0,
};

const HANDLE = 'ada-l';
const ABOUT = 'Tools for small shops.';
const CODE = 'SPRING';
const NOTIFY = `mutation ($endpoint: String!, $p256dh: String!, $auth: String!) {
  notifyBrowser(endpoint: $endpoint, p256dh: $p256dh, auth: $auth)
}`;
const CHOICE = '"notifications":{"sales":"none","weekly":true}';
const { subscription } = createSubscription('https://127.0.0.1:9/a-browser');
const CREATE_DISCOUNT = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
const SET_PAGE = `mutation ($handle: String!, $about: String!) {
  setSellerPage(handle: $handle, about: $about, links: ["https://example.com/ada"])
}`;
const SET_CHOICES = `mutation ($id: ID!, $choices: [ChoiceInput!]!) {
  setChoices(id: $id, choices: $choices) { id }
}`;
const READ_CHOICES = 'query ($id: ID!) { getPaywallLink(id: $id) { choices { choice } } }';

/** A checkout with the discount code. @returns the address of the hosted page */
async function checkOutWithCode(person: Person, paywallId: string): Promise<string> {
  const answer = await postJson(person, '/prod/checkout', { paywallId, code: CODE });
  return (await readJson<{ url: string }>(answer)).url;
}

/** License keys, in the order in which they are to be sold. */
const LISTED = Array.from({ length: 9 }, (_, number) => `license-${9 - number}`);

/** Half the price of $5 without the fee of 5 % and 30 cents. */
const NET_CENTS = 207;

/** Enough links that the account is written in several pieces. */
const OTHER_LINKS = 120;

describe('an exported account', () => {
  const from = useApp();
  const on = {} as Record<'server' | 'disk', App>;
  const folder = join(createDataFolder(), 'account');
  let seller: Awaited<ReturnType<typeof signUp>>;
  let sellerId: string;
  let sold: Awaited<ReturnType<typeof sellFile>>;
  let guest: Person;
  let account: Awaited<ReturnType<typeof signUp>>;
  let personal: string;
  let license: string;
  /** A link with license keys of the seller's own. */
  let listed: string;
  let refunded: Person;
  let disputed: Person;
  let cover: string;
  let owed: number;

  beforeAll(async () => {
    seller = await signUp(from);
    sellerId = await readUserId(seller);
    await graphql(seller, 'mutation { setSellerName(name: "Ada’s desk") }');
    await graphql(seller, 'mutation { setNotifications(sales: "none", weekly: true) }');
    await graphql(seller, NOTIFY, subscription);
    const german = new URLSearchParams({ back: '/', language: 'de' });
    await seller.fetch('/language', { method: 'POST', body: german });
    seller.cookies.delete('language');
    sold = await sellFile(seller);
    await updateLink(seller, { id: sold.id, title: 'Notes on keys' });
    await updateLink(seller, { id: sold.id, licenses: 'generated', devices: 2 });
    guest = createPerson(from);
    guest.cookies.set('language', 'de');
    await payAt(guest, await checkOut(guest, sold.id), undefined, BUYER);
    await waitUntilUnlocked(guest, sold.id);
    const { text } = await readMail(from, BUYER);
    license = /Lizenzschlüssel: (\S+)/.exec(text)?.[1] ?? '';
    await verifyLicense(from, license, 'Laptop');
    personal = /\/access\/\S+/.exec(text)?.[0] ?? '';
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#b5651d' } });
    const body = new Uint8Array(await picture.png().toBuffer());
    const headers = { 'content-type': 'image/png' };
    const put = { method: 'PUT', body, headers };
    cover = (await readJson<{ url: string }>(await seller.fetch(`/p/${sold.id}/cover`, put))).url;
    expect((await seller.fetch('/account/picture', put)).status).toBe(200);
    await graphql(seller, SET_PAGE, { handle: HANDLE, about: ABOUT });
    await graphql(seller, `mutation { pinLink(id: "${sold.id}", pinned: true) }`);
    for (const short of ['notes', 'keys']) await updateLink(seller, { id: sold.id, short });
    const web = await createLink(seller, { type: 'link', url: 'https://example.com/', key: null });
    listed = web.id;
    const discount = { code: CODE, percent: 50, uses: 4, usesOfBuyer: 1 };
    await graphql(seller, CREATE_DISCOUNT, { input: { ...discount, links: [sold.id, listed] } });
    const ended = { input: { code: 'WINTER', percent: 10 } };
    const { createDiscount: endedId } = await graphql<{ createDiscount: string }>(
      ...([seller, CREATE_DISCOUNT, ended] as const),
    );
    await graphql(seller, `mutation { endDiscount(id: "${endedId}") }`);
    refunded = createPerson(from);
    await payAt(refunded, await checkOutWithCode(refunded, sold.id));
    await waitUntilUnlocked(refunded, sold.id);
    const last = await withDatabase(from, (db) =>
      db.selectFrom('purchase').select('id').orderBy('created_at', 'desc').executeTakeFirst(),
    );
    const refund = ['refund', last?.id ?? '', '--reason', 'Not as described'];
    expect(await runCli(from.env, ...refund)).toMatchObject({ status: 0 });
    // What buyers give back uses no code up.
    await runSql(from, "update refund set requested_by = 'buyer'");
    disputed = createPerson(from);
    await payAt(disputed, await checkOut(disputed, sold.id), CARDS.isDisputed);
    const down = await sellFile(seller);
    const takeDown = ['link', 'take-down', down.id, '--reason', 'It is not theirs.'];
    expect(await runCli(from.env, ...takeDown)).toMatchObject({ status: 0 });
    account = await signUp(from);
    await payAt(account, await checkOutWithCode(account, sold.id));
    await waitUntilUnlocked(account, sold.id);
    await hasBytes(account, sold.id, sold.bytes);
    // Of a version that was on sale meanwhile, and came with what was bought.
    const newer = await uploadFile(seller, { name: 'newer.txt', bytes: new Uint8Array(500) });
    await updateLink(seller, { id: sold.id, files: [newer.key] });
    await (await fetch(await storageUrl(guest, newer.key))).bytes();
    await updateLink(seller, { id: sold.id, files: [sold.key] });
    await eventually(async () => {
      expect(await readDeliveries(from)).toEqual(['delivered', ...Array(3).fill('unopened')]);
      const counted = await withDatabase(from, (db) =>
        db.selectFrom('delivered_file').select('bytes').orderBy('bytes').execute(),
      );
      expect(counted).toEqual([{ bytes: 500 }, { bytes: 1000 }]);
    });
    const add = 'mutation ($id: ID!, $keys: String!) { addLicenseKeys(linkId: $id, keys: $keys) }';
    await graphql(seller, add, { id: listed, keys: LISTED.join('\n') });
    await updateLink(seller, { id: listed, licenses: 'list' });
    const copies = Array.from({ length: OTHER_LINKS }, (_, index) => {
      const id = `f${index.toString(16).padStart(7, '0')}`;
      return `insert into link_id select '${id}', owner_id, reserved_at from link_id where id = '${web.id}';
        insert into link (id, owner_id, type, url, price_cents, unlocked, paused, version, created_at, updated_at, content_version)
          select '${id}', owner_id, type, url, price_cents, unlocked, paused, 1, created_at, updated_at, 1 from link where id = '${web.id}';
        insert into link_version select '${id}', number, url, created_at, null from link_version where link_id = '${web.id}';`;
    });
    await runSql(from, copies.join(''));
    await runSql(from, `update link set stamp = 1, stamp_failed = 1 where id = '${listed}'`);
    await graphql(seller, SET_CHOICES, {
      id: listed,
      choices: [
        { id: listed, name: 'Online' },
        { id: sold.id, name: 'PDF' },
      ],
    });
    await withDatabase(from, (db) =>
      eventually(async () => {
        const states = await db.selectFrom('access_grant').select('state').execute();
        expect(states.map(({ state }) => state).sort()).toEqual([
          ...['active', 'active', 'ended', 'suspended'],
        ]);
      }),
    );
    owed = await readBalance(seller);
    const bucket = await createBucket();
    on.server = await startApp({
      database: 'postgres',
      env: bucket ? { ...s3Settings(bucket), S3_DELIVERY: 'proxy' } : {},
    });
    on.disk = await startApp();
    return async () => {
      await on.server.stop();
      await on.disk.stop();
    };
  });

  /** How far the sold files went out to each buyer. */
  const readDeliveries = (app: App) =>
    withDatabase(app, async (db) => {
      const purchases = await db.selectFrom('purchase').select('id').execute();
      const ids = purchases.map(({ id }) => id);
      const progress = [...(await readDeliveryProgress(db, ids)).values()];
      return progress.map(({ state }) => state).sort();
    });

  const verifyLicense = async (app: App, key: string, activate?: string) =>
    readJson(
      await postJson(createPerson(app), '/licenses/verify', { link: sold.id, key, activate }),
    );

  const exportFrom = async (app: App, path: string) => {
    const { status, stdout, stderr } = await runCli(app.env, 'export', sellerId, path, '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout);
  };

  const suspendOn = async (app: App) => {
    const words = ['user', 'suspend', sellerId, '--reason', 'Your account is moving.'];
    expect(await runCli(app.env, ...words)).toMatchObject({ status: 0 });
  };

  /** Suspends the account, and waits until nothing of it is under way. */
  const exportFinal = async (app: App, path: string) => {
    await suspendOn(app);
    return eventually(() => exportFrom(app, path));
  };

  /** @param before of the export: how many sales it has, and how many of them used the code */
  async function expectToSellOn(app: App, before: { sales: number; uses: number }): Promise<void> {
    // Whoever bought has it: by the browser, by the old receipt, by the account, by email.
    await hasBytes(comeBack(guest, app), sold.id, sold.bytes);
    const other = createPerson(app);
    expect((await other.fetch(personal)).status).toBe(200);
    expect((await other.fetch(personal, { method: 'POST' })).headers.get('location')).toBe(
      `/p/${sold.id}`,
    );
    await hasBytes(other, sold.id, sold.bytes);
    const active = { valid: true, activations: 1, maxActivations: 2 };
    expect(await verifyLicense(app, license, 'Laptop')).toMatchObject(active);
    const keys = await withDatabase(app, (db) =>
      db
        .selectFrom('license_key')
        .where('link_id', '=', listed)
        .orderBy('created_at')
        .orderBy('id')
        .select('key')
        .execute(),
    );
    expect(keys.map(({ key }) => key)).toEqual(LISTED);
    const stamped = await withDatabase(app, (db) =>
      db
        .selectFrom('link')
        .where('stamp', '=', 1)
        .where('stamp_failed', '=', 1)
        .select('id')
        .execute(),
    );
    expect(stamped).toEqual([{ id: listed }]);
    const choices = await graphql(
      createPerson(app),
      READ_CHOICES,
      { id: sold.id },
      await publishableKey(app),
    );
    expect(choices).toEqual({
      getPaywallLink: { choices: [{ choice: 'Online' }, { choice: 'PDF' }] },
    });
    expect(await seeLink(comeBack(refunded, app), sold.id)).toMatchObject({ unlocked: false });
    expect(await seeLink(comeBack(disputed, app), sold.id)).toMatchObject({ unlocked: false });
    expect((await other.fetch(cover)).headers.get('content-type')).toBe('image/webp');
    const signedIn = await signUp(app, { email: account.email });
    await hasBytes(signedIn, sold.id, sold.bytes);
    const stranger = createPerson(app);
    expect(await seeLink(stranger, sold.id)).toMatchObject({ unlocked: false, key: null });
    await stranger.fetch('/purchases', {
      method: 'POST',
      body: new URLSearchParams({ email: BUYER }),
    });
    await readMail(app, BUYER, /^Ihre Käufe$/);

    const { email } = seller;
    const person = createPerson(app);
    const refused = await postJson(person, '/api/auth/sign-in/email', {
      email,
      password: PASSWORD,
    });
    expect(refused.status).toBe(401);
    await readJson(await postJson(person, '/api/auth/email-otp/request-password-reset', { email }));
    const otp = await readCode(app, email);
    await readMail(app, email, new RegExp(`^${otp} ist Ihr Padlink-Code$`));
    const password = 'Another-horse-8';
    const reset = { email, otp, password };
    await readJson(await postJson(person, '/api/auth/email-otp/reset-password', reset));
    await signIn(person, email, password);
    expect(await readUserId(person)).toBe(sellerId);
    expect(await readBalance(person)).toBe(0);
    await expectInOrder(app);
    const html = await (await person.fetch('/account')).text();
    const picture = /"url":"(\/covers\/[^"]+)"/.exec(html)?.[1] ?? '';
    expect((await person.fetch(picture)).headers.get('content-type')).toBe('image/webp');
    for (const shown of [ABOUT, 'https://example.com/ada', CHOICE]) expect(html).toContain(shown);
    const links = [sold.id, listed].sort();
    const list = '{ listDiscounts { items { code percent uses paid links } } }';
    expect(await graphql(person, list)).toEqual({
      listDiscounts: {
        items: [{ code: CODE, percent: 50, uses: 4, paid: before.uses, links }],
      },
    });
    for (const user of [comeBack(account, app), signedIn]) {
      const again = await postJson(user, '/prod/checkout', { paywallId: listed, code: CODE });
      expect(await again.text()).toContain('You cannot use this discount code again.');
    }
    const buyer = createPerson(app);
    await payAt(buyer, await checkOutWithCode(buyer, sold.id));
    await hasBytes(buyer, sold.id, sold.bytes);
    expect(await readBalance(person)).toBe(NET_CENTS);
    const { getSalesByDay: days } = await graphql<{ getSalesByDay: { sales: number }[] }>(
      person,
      '{ getSalesByDay(days: 3) { sales } }',
    );
    expect(days.reduce((sum, { sales }) => sum + sales, 0)).toBe(before.sales + 1);
    const next = await sellFile(person);
    await payFor(buyer, next.id);
    await hasBytes(buyer, next.id, next.bytes);
    await expectInOrder(app);
  }

  test('goes to another database and another store, sells on, and its buyers keep what they bought', async () => {
    expect((await runCli(from.env, 'export', sellerId, folder)).stderr).toMatch(
      /^Suspend the account first, .* npm run cli -- user suspend /,
    );
    const waiting = createPerson(from);
    await checkOut(waiting, sold.id);
    const made = await exportFinal(from, folder);
    for (const [still, ends] of STILL_UNDER_WAY) {
      await runSql(from, still);
      expect((await runCli(from.env, 'export', sellerId, folder)).stderr).toMatch(
        /^Purchase \S+ is still /,
      );
      await runSql(from, ends);
    }
    expect(made).toMatchObject({
      ok: true,
      links: OTHER_LINKS + 2,
      files: 2,
      fileBytes: 1500,
      sales: 4,
      owedCents: owed,
      mode: 'test',
    });
    for (const name of ['manifest.json', 'account.ndjson']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const lines = readFileSync(join(folder, 'account.ndjson'), 'utf8');
    const secrets = ['password', 'secret', guest.cookies.get('padlink_claim'), personal];
    for (const secret of [...secrets, ...Object.values(subscription)]) {
      expect(lines.includes(String(secret))).toBe(false);
    }
    expect(lines).toMatch(/"browsers":\[\{"created_at":\d+\}\]/);

    await killInImport(on.server);
    const imported = await runCli(on.server.env, 'import', folder);
    expect(imported).toMatchObject({ status: 0, stderr: '' });
    const again = await runCli(on.server.env, 'import', folder, '--json');
    expect([again.status, JSON.parse(again.stdout)]).toMatchObject([0, { isNew: false }]);
    expect(await readDeliveries(on.server)).toEqual(await readDeliveries(from));
    await expectToSellOn(on.server, { sales: 4, uses: 1 });
    for (const name of ['notes', 'keys']) {
      const { headers } = await createPerson(on.server).fetch(`/s/${HANDLE}/${name}`);
      expect(headers.get('location')).toBe(`/p/${sold.id}`);
    }
    expect((await linksOnPage(on.server))[0]).toBe(sold.id);
    await expectInOrder(from);

    // Its books know nothing of payments that were made elsewhere.
    const [purchaseId] = await withDatabase(on.server, (db) =>
      db.selectFrom('purchase').where('provider_account', '=', 'imported').select('id').execute(),
    );
    const refund = ['refund', purchaseId?.id ?? '', '--reason', 'Not as described'];
    expect(await runCli(on.server.env, ...refund)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^It was paid elsewhere/),
    });
    expect(await runCli(on.server.env, 'reconcile')).toMatchObject({ status: 0 });
    const accounts = await runCli(on.server.env, 'user', 'list', seller.email, '--json');
    expect(JSON.parse(accounts.stdout).accounts).toMatchObject([
      { id: sellerId, sales: 2, earnedCents: NET_CENTS + 445, links: OTHER_LINKS + 3 },
    ]);
  });

  /** The links on the page of the seller, in order. */
  async function linksOnPage(app: App): Promise<string[]> {
    const answer = await createPerson(app).fetch(`/s/${HANDLE}`);
    expect(answer.status).toBe(200);
    const ids = (await answer.text()).matchAll(/href="\/p\/([0-9a-f]{8})"/g);
    return [...ids].map(([, id]) => id ?? '');
  }

  async function killInImport(app: App): Promise<void> {
    const child = spawn(process.execPath, ['server/cli/main.ts', 'import', folder], {
      env: { PATH: process.env.PATH, ...app.env },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await withDatabase(app, (db) =>
      eventually(
        async () =>
          expect(await db.selectFrom('account_import').select('owner_id').execute()).not.toEqual(
            [],
          ),
        { intervalMs: 1 },
      ),
    );
    child.kill('SIGKILL');
    await ended;
  }

  test('goes on from there with what was sold since, and is whole after an import that failed midway', async () => {
    const path = join(createDataFolder(), 'account');
    const made = await exportFinal(on.server, path);
    expect(made).toMatchObject({ sales: 6, files: 3, owedCents: NET_CENTS + 445 });
    // No link is on sale, and no buyer asked to pay again, before all is there.
    await runSql(
      on.disk,
      `create trigger cut before insert on imported_day begin select raise(abort, 'power cut'); end`,
    );
    await expect(runCli(on.disk.env, 'import', path)).rejects.toThrow('power cut');
    expect(await seeLink(createPerson(on.disk), sold.id)).toBeNull();
    const onSale = await withDatabase(on.disk, (db) =>
      db
        .selectFrom('link')
        .where('owner_id', '=', sellerId)
        .where('deleted_at', 'is', null)
        .select('id')
        .execute(),
    );
    expect(onSale).toEqual([]);
    await runSql(on.disk, 'drop trigger cut');
    const other = await signUp(on.disk);
    await graphql(other, SET_PAGE, { handle: HANDLE, about: 'Somebody else’s.' });
    expect(await runCli(on.disk.env, 'import', path)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`The address /s/${HANDLE} of the seller’s page`),
    });
    expect(await linksOnPage(on.disk)).toEqual([]);
    await expectToSellOn(on.disk, { sales: 6, uses: 2 });
  });

  test('is refused where something of it is, before anything is written', async () => {
    const refusal = async (app: App, path: string) => {
      const { status, stdout, stderr } = await runCli(app.env, 'import', path);
      expect([status, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await refusal(from, folder)).toMatch(/is here already\. Nothing was imported\.$/m);
    const path = join(createDataFolder(), 'account');
    await exportFrom(from, path);
    expect(await refusal(on.disk, path)).toMatch(/^This account was imported from another export/);
    expect(await refusal(on.disk, createDataFolder())).toMatch(/^There is no exported account in /);
    expect((await runCli(on.disk.env, 'import')).status).toBe(2);
    expect((await runCli(from.env, 'export', 'nobody@example.com', path)).status).toBe(1);
    const others = await runCli(from.env, 'export', sellerId, from.dataDir);
    expect(others.stderr).toMatch(/contains other things/);
    for (const app of [on.server, on.disk]) {
      await runSql(app, `delete from "user" where id = '${sellerId}'`);
      expect(await refusal(app, folder)).toMatch(
        /^This account was imported, and has been deleted/,
      );
    }
  });

  test('is refused when it speaks of anything but its own account, or of what cannot be sold here', async () => {
    const small = await signUp(from);
    const { id } = await sellFile(small);
    const buyer = createPerson(from);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await graphql(small, SET_PAGE, { handle: 'small', about: ABOUT });
    await graphql(small, CREATE_DISCOUNT, { input: { code: CODE, percent: 50 } });
    const license = {
      ...{ link_id: sold.id, key: 'a-key-of-theirs', lookup: 'a-key-of-theirs' },
      ...{ created_at: 1, given_at: 1, activations: [] },
    };
    const path = join(createDataFolder(), 'small');
    const user = await readUserId(small);
    const words = ['user', 'suspend', user, '--reason', 'Your account is moving.'];
    expect(await runCli(from.env, ...words)).toMatchObject({ status: 0 });
    await eventually(async () =>
      expect(await runCli(from.env, 'export', user, path)).toMatchObject({ status: 0 }),
    );
    const text = readFileSync(join(path, 'account.ndjson'), 'utf8');
    const { sha256, ...manifest } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
    const write = (lines: string, account: object) => {
      writeFileSync(join(path, 'account.ndjson'), lines);
      const account_ndjson = { sha256: hash(lines), bytes: Buffer.byteLength(lines) };
      const written = { ...manifest, account, account_ndjson };
      const signed = { ...written, sha256: hash(JSON.stringify(written)) };
      writeFileSync(join(path, 'manifest.json'), JSON.stringify(signed));
    };
    const theirKey = (await seeLink(comeBack(guest, on.disk), sold.id))?.key ?? '';
    for (const app of [on.server, on.disk]) {
      const [theirs] = await withDatabase(app, (db) => db.selectFrom('file').selectAll().execute());
      const blob = theirs?.blob ?? '';
      const picture = { blob, sha256: /"sha256":"(\w+)"/.exec(text)?.[1], bytes: 1000 };
      const faults: [string, RegExp, object, object?][] = [
        ['sale', /is not in the export/, { link_id: sold.id }],
        ['sale', /is not in the export/, { content_version: 2 }],
        ['sale', /discount code WINTER is not in the export/, { code: 'WINTER' }],
        ['sale', /has a license key of the link/, { license_keys: [license] }],
        ['sale', /license_keys/, { license_keys: [{ ...license, link_id: id, key: null }] }],
        [
          'sale',
          /device/,
          { license_keys: [{ ...license, activations: [{ device: '\0', activated_at: 1 }] }] },
        ],
        ['link', /license key of the link \w+ is there twice/, { free_license_keys: ['k', 'k'] }],
        [
          'sale',
          /is not in the export/,
          { delivered: [{ file_key: theirKey, ranges: '[[0,1]]', bytes: 1 }] },
        ],
        [
          'link',
          /is not in the export/,
          {
            versions: [
              {
                number: 1,
                url: null,
                created_at: 1,
                files_deleted_at: null,
                file_keys: [theirKey],
              },
            ],
          },
        ],
        ['link', /is there twice/, { earlier_short_names: ['a', 'a'] }],
        ['link', /not valid: earlier_short_names/, { earlier_short_names: ['A'] }],
        ['link', /not counted from 1/, { content_version: 2 }],
        ['link', /pictures .* are not its own/, { cover: blob }],
        ['link', /is here already/, { cover: blob, pictures: [picture] }],
        ['link', /maximum price/, { price_cents: 100_000_000 }],
        ['link', /not valid: title/, { title: 'a\u0000b' }],
        ['link', /not valid: preview_media_type/, { preview_media_type: 'text/html' }],
        ['link', /sells something other/, { type: 'link' }],
        [
          'link',
          /not valid: versions\.0\.url/,
          {
            type: 'link',
            versions: [
              {
                number: 1,
                url: 'javascript:alert(1)',
                created_at: 1,
                files_deleted_at: null,
                file_keys: [],
              },
            ],
          },
        ],
        ['file', /not valid: media_type/, { media_type: 'text/html\r\nx: y' }],
        ['file', /is not its own/, { key: theirKey }],
        ['account', /not the one that the manifest names/, { email: 'other@example.com' }],
        ['account', /not the one that the manifest names/, {}, { id: sellerId }],
        ['account', /not valid: email/, { email: 'Other@example.com' }],
        ['page', /is not in the export/, { pinned: [sold.id] }],
        ['page', /pictures of the seller’s page are not its own/, { picture: blob }],
        ['page', /not valid: about/, { about: 'a\u0000b' }],
        ['page', /not valid: links/, { links: ['javascript:alert(1)'] }],
        ['page', /not valid: handle/, { handle: 'Support' }],
        ['discount', /is not in the export/, { link_ids: [sold.id] }],
        ['discount', /not valid/, { percent: 101 }],
        ['account', /out of order/, { kind: 'day', ...QUIET }],
      ];
      for (const [kind, said, change, named] of faults) {
        const lines = text.replaceAll(/^.+$/gm, (line) =>
          line.startsWith(`{"kind":"${kind}"`)
            ? JSON.stringify({ ...JSON.parse(line), ...change })
            : line,
        );
        write(lines, { ...manifest.account, ...named });
        const { status, stderr } = await runCli(app.env, 'import', path);
        expect([status, stderr], JSON.stringify(change)).toEqual([1, expect.stringMatching(said)]);
      }
      write(text, manifest.account);
      expect(await runCli(app.env, 'import', path)).toMatchObject({ status: 0 });
    }
  });

  test('is refused when something of it is damaged, or another version wrote it', async () => {
    const empty = await startApp();
    const path = join(createDataFolder(), 'account');
    await exportFrom(from, path);
    const [object = ''] = readdirSync(join(path, 'objects'), {
      recursive: true,
      encoding: 'utf8' as const,
    }).filter((name) => name.length > 64);
    for (const name of ['manifest.json', 'account.ndjson', join('objects', object)]) {
      const file = join(path, name);
      const whole = readFileSync(file);
      const damaged = Buffer.from(whole);
      const middle = damaged.length >> 1;
      damaged[middle] = (damaged[middle] ?? 0) ^ 1;
      writeFileSync(file, damaged);
      const { status, stderr } = await runCli(empty.env, 'import', path);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`${file} is damaged`)]);
      writeFileSync(file, whole);
    }
    const manifest = readFileSync(join(path, 'manifest.json'), 'utf8');
    const { sha256, ...later } = { ...JSON.parse(manifest), format: 2 };
    const signed = hash(JSON.stringify(later));
    writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...later, sha256: signed }));
    const { stderr } = await runCli(empty.env, 'import', path);
    expect(stderr).toMatch(/in a format that this version cannot read/);
    writeFileSync(join(path, 'manifest.json'), manifest);
    rmSync(join(path, 'objects', object));
    expect((await runCli(empty.env, 'import', path)).stderr).toContain('is damaged');
    const rows = await withDatabase(empty, async (db) => [
      ...(await db.selectFrom('user').select('id').execute()),
      ...(await db.selectFrom('account_import').select('owner_id').execute()),
    ]);
    expect(rows).toEqual([]);
    await empty.stop();
  });
});

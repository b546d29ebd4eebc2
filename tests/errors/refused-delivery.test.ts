import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  readMail,
  seeLink,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { sellDisputed, sellOnce, waitUntilIdle } from '../factories/money.ts';
import { BUYER_EMAIL } from '../factories/payment.ts';
import { createSecretKey, programWith } from '../factories/secret-key.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { gatherLog } from '../harness/gather-log.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';
import { runSql } from './run-sql.ts';
import { takeTableAway } from './take-table-away.ts';

const FOUR_HOURS_MS = 4 * 60 * 60 * 1000;
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const sandboxPort = await findFreePort();
const env = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort), LOG_LEVEL: 'error' };

describeOnSqliteFirst('an address that delivers no more', (database) => {
  let ahead = 0;
  const { logTo, readLog } = gatherLog();
  const app = useApp({ database, env, overrides: { now: () => Date.now() + ahead, logTo } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });
  beforeEach(() => {
    ahead = 0;
  });

  /** A purchase, and an address of its file. */
  async function buy() {
    const sale = await sellOnce(seller, sandboxPort);
    const { key } = await waitUntilUnlocked(sale.buyer, sale.id);
    return { ...sale, download: await storageUrl(sale.buyer, key ?? '') };
  }

  /** The personal link of the newest receipt, which may still be on its way. */
  async function readPersonalLink(): Promise<string> {
    const { text } = await readMail(app, BUYER_EMAIL, /^Your purchase/);
    return /https?:\/\/\S+\/access\/\S+/.exec(text)?.[0] ?? '';
  }

  /** What a stranger's browser is shown: its title, what it says and where the page leads. */
  async function visit(address: string, method = 'GET') {
    const answer = await createPerson(app).fetch(address, { method, headers: HTML });
    const html = await answer.text();
    const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';
    return {
      status: answer.status,
      title: /<title>(.*) · Padlink<\/title>/.exec(html)?.[1],
      heading: /<h1[^>]*>(.*?)<\/h1>/.exec(main)?.[1],
      buttons: [...main.matchAll(/<a class="button[^"]*" href="([^"]*)">([^<]*)/g)].map(
        ([, href, text]) => `${text}: ${href}`,
      ),
    };
  }

  const shown = (status: number, title: string, button: string) => ({
    status,
    title,
    heading: title,
    buttons: [button],
  });

  test('because its time is over says so and leads to its page, and its buyer to a fresh one', async () => {
    const { id, buyer, download } = await buy();
    ahead = FOUR_HOURS_MS;
    expect(await visit(download)).toEqual(
      shown(410, 'This download link has expired', `Open the page: /p/${id}`),
    );
    const fresh = await buyer.fetch(download, { headers: HTML });
    expect(fresh.status).toBe(302);
    expect((await buyer.fetch(fresh.headers.get('location') ?? '')).status).toBe(200);
  });

  test('because it was changed says so, and leads to no page that somebody wrote into it', async () => {
    const { download } = await buy();
    const [, body = ''] = /\/download\/([^.]+)/.exec(download) ?? [];
    const ticket = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...ticket, linkId: '00000000' }));
    const changed = download.replace(body, forged.toString('base64url'));
    for (const address of [changed, '/download/nothing']) {
      expect(await visit(address)).toEqual(
        shown(403, 'This download link does not work', 'Go to Homepage: /'),
      );
    }
  });

  test('because its purchase was refunded says so and leads to its page', async () => {
    const { id, buyer, payment, download } = await buy();
    await stripeOf(sandboxPort).refunds.create({ payment_intent: payment });
    await eventually(async () => {
      expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    });
    const ended = shown(403, 'Your access has ended', `Go to the link’s page: /p/${id}`);
    expect(await visit(download)).toEqual(ended);
    await eventually(async () => expect(await visit(await readPersonalLink())).toEqual(ended));
    expect(await visit(await readPersonalLink(), 'POST')).toEqual(ended);
  });

  test('because its payment is disputed says that the access is on hold', {
    tags: 'long',
  }, async () => {
    const { id } = await sellDisputed(seller, sandboxPort);
    const onHold = shown(409, 'Your access is on hold', `Go to the link’s page: /p/${id}`);
    await eventually(async () => expect(await visit(await readPersonalLink())).toEqual(onHold));
  });

  test('because its purchase was disputed after it was handed out says the same', async () => {
    const { id, buyer, download } = await buy();
    // What follows a sale would set the grant to what the provider says.
    await withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
    // The card that is disputed leaves no time to ask for an address before.
    await runSql(app, `UPDATE access_grant SET state = 'suspended' WHERE link_id = '${id}'`);
    const onHold = shown(409, 'Your access is on hold', `Go to the link’s page: /p/${id}`);
    expect(await visit(download)).toEqual(onHold);
    const refused = await buyer.fetch(download, { headers: { accept: 'application/json' } });
    expect(await refused.json()).toMatchObject({
      code: 'ACCESS_SUSPENDED',
      detail: 'Your access is on hold while your bank reviews the dispute.',
    });
    // Who may not have it at all is told so, whatever becomes of the dispute.
    await runSql(app, `UPDATE access_grant SET state = 'ended' WHERE link_id = '${id}'`);
    expect(await visit(download)).toMatchObject({ status: 403, title: 'Your access has ended' });
  });

  test('because the database fails says so to whoever could get a fresh one, and no more', async () => {
    const { download } = await buy();
    const { secret } = await createSecretKey(seller);
    const program = programWith(app, secret);
    ahead = FOUR_HOURS_MS;
    expect((await program.fetch(download)).status).toBe(302);
    ahead = 0;
    const bringBack = await takeTableAway(app, 'access_grant');
    const failed = await program.fetch(download);
    expect(failed.status).toBe(500);
    expect(await failed.json()).toMatchObject({ code: 'INTERNAL' });
    expect(readLog()).toMatch(
      /no such table: access_grant|relation .+access_grant.+ does not exist/,
    );
    await bringBack();
    expect((await program.fetch(download)).status).toBe(200);
  });

  test('because a personal link is not whole says so', async () => {
    await buy();
    const personal = await readPersonalLink();
    for (const method of ['GET', 'POST']) {
      expect(await visit(personal.slice(0, -3), method)).toEqual(
        shown(404, 'This personal link does not work', 'Find my purchase: /purchases'),
      );
    }
  });

  test('leads a visitor on in the browser', { tags: 'long' }, async () => {
    const { id, download } = await buy();
    ahead = FOUR_HOURS_MS;
    const page = await openPage(app, { expectedErrors: /410 \/download\/[\w.-]+\/notes\.pdf/ });
    await page.goto(download);
    await page.getByText('Download links work for a limited time.').waitFor();
    expect(await page.getByText('Quote this number').count()).toBe(0);
    await page.getByRole('link', { name: 'Open the page' }).click();
    await page.waitForURL(`/p/${id}`);
  });
});

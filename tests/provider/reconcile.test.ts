import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { findPurchasesBySession, selectPurchases } from '../../server/selling/purchases/queries.ts';
import { runSql } from '../errors/run-sql.ts';
import { backUp } from '../factories/backup.ts';
import { checkOutCart, postForm, sessionOf } from '../factories/cart-steps.ts';
import {
  readBalance,
  readMail,
  sellFile,
  signUp,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { sellOnce } from '../factories/money.ts';
import { BUYER_EMAIL, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { deliverWebhook, findEvent, stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const REFUND_IS_PENDING = '4000 0000 0000 7726';
const GIVEN = { state: 'settled', gift_email: 'ann@example.com', gift_message: 'For Ann' };

describeOnSqliteFirst('reconcile', (database) => {
  let sandboxPort: number;
  let app: App;
  let seller: Person;

  beforeAll(async () => {
    sandboxPort = await findFreePort();
    const overrides = { catchUpEveryMs: 100 };
    app = await startApp({ database, env: webhookEnv(sandboxPort), overrides });
    seller = await signUp(app);
  });
  afterAll(() => app?.stop());

  const run = (...words: string[]) => runCli(app.env, ...words);

  async function buy(id: string) {
    const buyer = createPerson(app);
    const answer = await payAt(buyer, await checkOut(buyer, id));
    const session = new URL(answer.headers.get('location') ?? '').searchParams.get('session_id');
    await waitUntilUnlocked(buyer, id);
    return { buyer, session: session ?? '' };
  }

  /** @returns its session */
  async function buyTogether(ids: string[]): Promise<string> {
    const buyer = createPerson(app);
    for (const paywallId of ids) await postForm(buyer, '/cart/add', { paywallId });
    const url = (await checkOutCart(buyer)).headers.get('location') ?? '';
    await payAt(buyer, url);
    for (const id of ids) await waitUntilUnlocked(buyer, id);
    return sessionOf(url);
  }

  /** @returns its session */
  async function give(paywallId: string): Promise<string> {
    const giver = createPerson(app);
    const gift = { email: GIVEN.gift_email, message: GIVEN.gift_message };
    const begun = await postJson(giver, '/prod/checkout', { paywallId, gift });
    const { url } = await readJson<{ url: string }>(begun);
    await payAt(giver, url);
    await readMail(app, GIVEN.gift_email);
    return sessionOf(url);
  }

  const purchaseOf = (session: string) =>
    withDatabase(app, (db) =>
      selectPurchases(db).where('session_id', '=', session).executeTakeFirst(),
    );

  test('looks at what happened while the provider listed nothing for longer than it lists events', async () => {
    const since = new Date(Date.now() - 40 * DAY_MS).toISOString();
    const day = since.slice(0, 10);
    await eventually(async () => {
      const long = `asked_at = ${Date.now() - HOUR_MS - 1}, listed_at = ${Date.parse(since)}`;
      await runSql(app, `update provider_cursor set ${long}`);
      expect((await run('ledger', 'check')).stdout).toContain(`listed no events from ${since} to `);
    });
    // The last of these times has been read too, and no further one will be.
    await withDatabase(app, (db) =>
      eventually(async () => {
        const cursors = await db.selectFrom('provider_cursor').select('listed_at').execute();
        expect(cursors.map(({ listed_at }) => listed_at)).not.toContain(Date.parse(since));
      }),
    );
    await run('reconcile');
    expect((await run('ledger', 'check')).stdout).toContain(`run reconcile --since ${day}.`);
    await run('reconcile', '--since', day);
    expect((await run('ledger', 'check')).stdout).not.toContain('listed no events');
  });

  test('finds nothing where all is equal, and settles what was paid and never told', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    await buy(id);
    expect(await run('reconcile')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/compared since \S+: 1\. Repaired: 0\. .* attention: 0\.\n$/),
    });
    // A payment of which the product learns nothing: its inbox is emptied.
    const before = await readBalance(seller);
    const buyer = createPerson(app);
    const checkoutUrl = await checkOut(buyer, id);
    const session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
    await runSql(
      app,
      `update payment set session_id = 'cs_of_nobody' where session_id = '${session}'`,
    );
    await payAt(buyer, checkoutUrl);
    const event = await findEvent(sandboxPort, 'checkout.session.completed');
    await withDatabase(app, (db) =>
      eventually(async () => {
        const stored = await db
          .selectFrom('webhook_event')
          .where('id', '=', event.id)
          .where('handled_at', 'is not', null)
          .select('id')
          .executeTakeFirst();
        expect(stored).toBeDefined();
      }),
    );
    await runSql(app, `delete from payment where session_id = 'cs_of_nobody'`);
    const mended = await run('reconcile');
    expect(mended.stdout).toMatch(new RegExp(`^Session ${session} .* is now settled;`, 'm'));
    expect(mended.status).toBe(0);
    await waitUntilUnlocked(buyer, id);
    expect(await readBalance(seller)).toBe(before + 920);
  });

  test('names a sale here that the provider does not know', async () => {
    const { id } = await sellFile(seller);
    const { session } = await buy(id);
    await runSql(app, `update payment set session_id = 'cs_gone' where session_id = '${session}'`);
    const { status, stdout } = await run('reconcile');
    expect(stdout).toMatch(
      /^Purchase \S+ \(\$5\.00, session cs_gone\) is settled here, but the provider does not know the session\.$/m,
    );
    expect(stdout).toMatch(
      new RegExp(`^Session ${session} .* belongs to purchase \\S+, which was`, 'm'),
    );
    expect(status).toBe(1);
    await runSql(app, `update payment set session_id = '${session}' where session_id = 'cs_gone'`);
    expect((await run('reconcile')).status).toBe(0);
  });

  test('recovers sales that a restored backup does not know, or says what to refund', {
    tags: 'long',
  }, async () => {
    const kept = await sellFile(seller, { price: 1000 });
    const dearer = await sellFile(seller, { price: 700 });
    const replaced = await sellFile(seller, { price: 600 });
    const alsoKept = await sellFile(await signUp(app), { price: 300 });
    await app.pause();
    const restore = await backUp(app);
    await app.restart();
    const before = await readBalance(seller);
    const newer = await sellFile(seller, { price: 900 });
    const recovered = await buy(kept.id);
    const withoutLink = await buy(newer.id);
    await updateLink(seller, { id: dearer.id, price: 800 });
    const atOtherPrice = await buy(dearer.id);
    const { key } = await uploadFile(seller, { name: 'new.pdf', bytes: new Uint8Array(9) });
    await updateLink(seller, { id: replaced.id, key });
    const withOtherFile = await buy(replaced.id);
    const cart = await buyTogether([kept.id, alsoKept.id]);
    const brokenCart = await buyTogether([alsoKept.id, newer.id]);
    const given = await give(kept.id);
    const event = await findEvent(sandboxPort, 'checkout.session.completed');
    await app.pause();
    await restore();
    await app.restart();

    // The provider sends the event again: it is not swallowed.
    expect((await deliverWebhook(app, event)).status).toBe(200);
    await eventually(async () => {
      const { status, stdout } = await run('ledger', 'check');
      expect(stdout).toMatch(/^Job \S+ \(handle-webhook\) was given up .* reconcile$/m);
      expect(status).toBe(1);
    });

    const other = await uploadFile(seller, { name: 'newer.pdf', bytes: new Uint8Array(8) });
    await updateLink(seller, { id: kept.id, key: other.key });

    // The fee was fixed at checkout, and so was the version.
    const first = await runCli({ ...app.env, PLATFORM_FEE_FIXED_CENTS: '90' }, 'reconcile');
    expect(first.status).toBe(1);
    expect(first.stdout).toMatch(
      new RegExp(
        `^Session ${recovered.session} .*10\\.00 .* has been recovered; its buyer gets an email\\.$`,
        'm',
      ),
    );
    expect(first.stdout).toMatch(
      new RegExp(
        `^Session ${withoutLink.session} \\(\\$9\\.00 from ${BUYER_EMAIL} for link ${newer.id} on \\S+\\) is missing here and was not recovered: its link is not in this database\\. Refund payment pi_\\w+ at the provider`,
        'm',
      ),
    );
    expect(first.stdout).toMatch(
      new RegExp(`^Session ${atOtherPrice.session} .* its link now costs \\$7\\.00`, 'm'),
    );
    expect(first.stdout).toMatch(
      new RegExp(
        `^Session ${withOtherFile.session} .* not recovered: its link has no version with what was paid`,
        'm',
      ),
    );
    expect(first.stdout).toMatch(
      new RegExp(
        `^Session ${brokenCart} .* not recovered: of ${newer.id} in its cart, its link is not`,
        'm',
      ),
    );
    // The fee of one payment, for both: 5% of 13 dollars and 30 cents.
    expect(first.stdout).toMatch(new RegExp(`^Session ${cart} .* has been recovered`, 'm'));
    const lines = await withDatabase(app, (db) => findPurchasesBySession(db, cart));
    expect(lines.map(({ link_id }) => link_id).sort()).toEqual([kept.id, alsoKept.id].sort());
    expect(lines.reduce((sum, { fee_cents }) => sum + fee_cents, 0)).toBe(95);
    const { text } = await readMail(app, BUYER_EMAIL, /Your purchases: 2 items/);
    expect(text.match(/\/access\//g)).toHaveLength(2);
    expect(await purchaseOf(recovered.session)).toMatchObject({
      state: 'settled',
      fee_cents: 80,
      content_version: 1,
    });
    expect(await purchaseOf(given)).toMatchObject(GIVEN);
    await readMail(app, GIVEN.gift_email);
    expect(await purchaseOf(withoutLink.session)).toBeUndefined();
    await readMail(app, BUYER_EMAIL);

    // A person does the rest: the price of that day for a moment, and a refund.
    for (const session of [withoutLink.session, withOtherFile.session, brokenCart]) {
      const stripe = stripeOf(sandboxPort);
      const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
      await stripe.refunds.create({ payment_intent: String(payment_intent) });
    }
    await updateLink(seller, { id: dearer.id, price: 800 });
    const second = await run('reconcile');
    expect(second).toMatchObject({ status: 0, stderr: '' });
    expect(second.stdout).toMatch(
      new RegExp(`^Session ${atOtherPrice.session} .* has been recovered`, 'm'),
    );
    // 5% and 30 cents of 1000 and of 800 are the platform's.
    const inCart = lines.find((line) => line?.link_id === kept.id);
    const net = 1000 - (inCart?.fee_cents ?? 0);
    expect(await readBalance(seller)).toBe(before + 920 + 730 + net + 920);
    await eventually(() =>
      withDatabase(app, async (db) => expect(await checkLedger(db)).toEqual([])),
    );
  });

  test('follows a refund of which the product was told nothing', { tags: 'long' }, async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    const { session } = await buy(id);
    const { payment_intent } = await stripeOf(sandboxPort).checkout.sessions.retrieve(session);
    await app.pause();
    const restore = await backUp(app);
    await app.restart();
    await stripeOf(sandboxPort).refunds.create({ payment_intent: String(payment_intent) });
    await findEvent(sandboxPort, 'charge.refunded');
    await withDatabase(app, (db) =>
      eventually(async () => {
        const refunds = await db
          .selectFrom('ledger_entry')
          .innerJoin('purchase', 'purchase.id', 'ledger_entry.purchase_id')
          .innerJoin('payment', 'payment.id', 'purchase.payment_id')
          .where('payment.session_id', '=', session)
          .where('ledger_entry.kind', '=', 'refund')
          .select('ledger_entry.id')
          .execute();
        expect(refunds).toHaveLength(1);
      }),
    );
    await app.pause();
    await restore();
    // What waited when the backup was made would ask the provider by itself.
    await runSql(app, 'delete from job');
    await app.restart();
    const { status, stdout } = await run(
      'reconcile',
      '--since',
      new Date(0).toISOString().slice(0, 10),
    );
    expect(stdout).toMatch(
      new RegExp(`^Payment ${payment_intent}: its refunds and disputes are now booked\\.$`, 'm'),
    );
    expect(status).toBe(0);
  });

  test('asks after a refund that was under way, however long ago it began', async () => {
    const stripe = stripeOf(sandboxPort);
    const { payment } = await sellOnce(seller, sandboxPort, { card: REFUND_IS_PENDING });
    const reserves = () =>
      withDatabase(app, (db) => db.selectFrom('reserve').select('amount_cents').execute());
    const [endpoint] = (await stripe.webhookEndpoints.list()).data;
    const setDisabled = (disabled: boolean) =>
      stripe.webhookEndpoints.update(endpoint?.id ?? '', { disabled });
    const goOn = stopClock();
    const refund = await stripe.refunds.create({ payment_intent: payment });
    await eventually(async () => expect(await reserves()).toEqual([{ amount_cents: 920 }]));
    await setDisabled(true);
    goOn();
    await eventually(async () =>
      expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' }),
    );
    await setDisabled(false);
    const { status, stdout } = await run('reconcile', '--since', '2999-01-01');
    expect(stdout).toContain(`Payment ${payment}: its refunds and disputes are now booked.\n`);
    expect(status).toBe(0);
    expect(await reserves()).toEqual([]);
  });

  test('leaves the sales of other installations on the same account alone', async () => {
    const stripe = stripeOf(sandboxPort);
    const { id } = await sellFile(seller);
    const sell = async (origin: string, metadata: Record<string, string>) => {
      const price_data = { currency: 'usd', unit_amount: 500, product_data: { name: 'Notes' } };
      const session = await stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [{ quantity: 1, price_data }],
        metadata: { purchase_id: randomUUID(), ...metadata },
        success_url: `${origin}/success`,
      });
      expect((await payAt(createPerson(app), session.url ?? '')).status).toBe(303);
      return session.id;
    };
    const elsewhere = 'http://staging.localhost';
    const [own] = await withDatabase(app, (db) =>
      db.selectFrom('installation').where('name', '=', 'id').select('value').execute(),
    );
    const installation_id = own?.value ?? '';
    const foreign = [
      await sell(app.origin, { link_id: id, installation_id: randomUUID() }),
      await sell(elsewhere, { link_id: id, installation_id }),
      // With no id of an installation, it is of none of ours.
      await sell(app.origin, { link_id: id }),
      await sell(app.origin, { link_id: 'zzzzzzzz' }),
    ];
    const lost = [
      await sell(app.origin, { link_id: 'zzzzzzzz', installation_id }),
      await sell(app.origin, { link_id: id, installation_id }),
    ];
    const jobs = () =>
      withDatabase(app, (db) =>
        db
          .selectFrom('job')
          .where('kind', '=', 'handle-webhook')
          .select(['last_error', 'died_at'])
          .execute(),
      );
    await eventually(async () => {
      const left = await jobs();
      expect(left.every(({ died_at }) => died_at !== null)).toBe(true);
      for (const session of lost) expect(JSON.stringify(left)).toContain(session);
    });
    for (const session of foreign) expect(JSON.stringify(await jobs())).not.toContain(session);
    const { stdout } = await run('reconcile');
    for (const session of lost) expect(stdout).toContain(session);
    for (const session of foreign) expect(stdout).not.toContain(session);
  });

  test('sends no receipt for what was given back before it was settled', async () => {
    const stripe = stripeOf(sandboxPort);
    const { id } = await sellFile(seller);
    await updateLink(seller, { id, title: 'Notes that were given back' });
    const buyer = createPerson(app);
    const checkoutUrl = await checkOut(buyer, id);
    const session = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
    await runSql(app, `update payment set session_id = 'cs_kept' where session_id = '${session}'`);
    await payAt(buyer, checkoutUrl);
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    await stripe.refunds.create({ payment_intent: String(payment_intent) });
    await app.pause();
    await runSql(app, `delete from payment where session_id = 'cs_kept'`);
    expect((await run('reconcile')).stdout).toMatch(
      new RegExp(`^Payment ${payment_intent}: its refunds and disputes are now booked\\.$`, 'm'),
    );
    await app.restart();
    await withDatabase(app, (db) =>
      eventually(async () => {
        const left = await db
          .selectFrom('job')
          .where('kind', '=', 'send-receipt')
          .select('id')
          .execute();
        expect(left).toEqual([]);
      }),
    );
    const mailbox = await fetch(`${app.origin}/mailbox.json`);
    const mails = (await mailbox.json()) as { to: string; subject: string; text: string }[];
    const toBuyer = mails.filter(({ to }) => to === BUYER_EMAIL);
    expect(JSON.stringify(toBuyer)).not.toContain('Notes that were given back');
  });

  test('goes on after a payment that cannot be read, and says what it found when it breaks off', async () => {
    const { id } = await sellFile(seller);
    const own = await buy(id);
    const foreign = await buy(id);
    const broken = await buy(id);
    const purchaseIs = ({ session }: { session: string }) =>
      `(select p.id from purchase p join payment y on y.id = p.payment_id
        where y.session_id = '${session}')`;
    await runSql(
      app,
      `update access_grant set state = 'suspended' where purchase_id in
         (${purchaseIs(own)}, ${purchaseIs(foreign)});
       update payment set payment_intent_id = 'pi_gone' where session_id = '${own.session}';
       update purchase set provider_account = 'acct_other' where id = ${purchaseIs(foreign)};
       update payment set payment_intent_id = 'pi_foreign'
         where session_id = '${foreign.session}'`,
    );
    const whole = await run('reconcile');
    expect(whole).toMatchObject({ status: 1, stderr: '' });
    expect(whole.stdout).toMatch(/^Payment pi_gone: its outcome cannot be read: No such/m);
    expect(whole.stdout).not.toContain('Payment pi_foreign:');

    const payment = (await purchaseOf(broken.session))?.payment_intent_id ?? '';
    await runSql(
      app,
      `delete from grant_claim where grant_id in
         (select id from access_grant where purchase_id = ${purchaseIs(broken)});
       delete from access_grant where purchase_id = ${purchaseIs(broken)}`,
    );
    await stripeOf(sandboxPort).refunds.create({ payment_intent: payment });
    const partial = await run('reconcile');
    expect(partial.status).toBe(1);
    expect(partial.stderr).toContain('The comparison was interrupted');
    expect(partial.stdout).toMatch(new RegExp(`^Session ${own.session} .* is booked as`, 'm'));
  });

  test('refuses a date that it cannot read', async () => {
    expect(await run('reconcile', '--since', 'yesterday')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--since YYYY-MM-DD'),
    });
  });
});

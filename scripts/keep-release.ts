import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { VERSION } from '../server/running/version.ts';
import {
  DATABASES,
  type KeptBuyer,
  RELEASES,
  type Release,
  SETTINGS,
} from '../tests/fixtures/releases.ts';
import type { Person } from '../tests/harness/person.ts';
import type { App } from '../tests/harness/start-app.ts';

process.env.NODE_ENV ??= 'production';
const { checkOutCart, postForm } = await import('../tests/factories/cart-steps.ts');
const { createLink, graphql, readMail, signUp, updateLink, waitUntilUnlocked } = await import(
  '../tests/factories/factories.ts'
);
const { BUYER_EMAIL, payAt } = await import('../tests/factories/payment.ts');
const { eventually } = await import('../tests/harness/eventually.ts');
const { findFreePort } = await import('../tests/harness/free-port.ts');
const { createPersonAt, postJson, readJson } = await import('../tests/harness/person.ts');
const { runCli } = await import('../tests/harness/run-command.ts');
const { startApp } = await import('../tests/harness/start-app.ts');
const { letHappen, stripeOf } = await import('../tests/harness/webhook.ts');
const { withDatabase } = await import('../tests/harness/with-database.ts');

const PRICE = 1000;
const SALES = 3;
/** Refunds to the card are pending for two seconds at the sandbox, like payouts to the account. */
const SLOW_CARD = '4000 0000 0000 7726';
const BANK_ACCOUNT = '000123456789';

/**
 * `node scripts/keep-release.ts`: keeps what a small shop of this version leaves behind in the
 * middle of its work, so that every later version is tested to go on from it. Run when a version is
 * released.
 */
async function keepRelease(): Promise<void> {
  const sandboxPort = await findFreePort();
  const env = { ...SETTINGS, SANDBOX_PORT: String(sandboxPort) };
  const app = await startApp({ empty: true, env });
  try {
    const shop = createShop(app, sandboxPort);
    const sold = await sellOften(app, shop);
    const other = await signUp(app, { email: 'ben@example.com' });
    const open = await openCheckouts(shop, other);
    const done = await sellAll(app, shop, other);
    await waitUntilHeard(app, sandboxPort);
    const moving = await moveMoney(app, shop, done.paid.refundPending.payment);
    const release = {
      keptAt: Date.now(),
      ...sold,
      other: other.email,
      ...open,
      ...done,
      ...moving,
    };
    keep(app, release);
  } finally {
    await app.stop();
  }
}

type Shop = ReturnType<typeof createShop>;

/** What people do in it. */
function createShop(app: App, sandboxPort: number) {
  let visitors = 0;
  const newBuyer = (): Person => {
    visitors += 1;
    return createPersonAt(app, `198.51.100.${visitors}`);
  };
  const sell = async (seller: Person, more: object = {}): Promise<string> => {
    const content = { type: 'link', url: 'https://example.com/sold', price: PRICE, ...more };
    return (await createLink(seller, content)).id;
  };
  /** Opens the payment page. @returns its address */
  const begin = async (buyer: Person, paywallId: string, more: object = {}): Promise<string> => {
    const asked = await postJson(buyer, '/prod/checkout', { paywallId, ...more });
    return (await readJson<{ url: string }>(asked)).url;
  };
  /** The same of a cart. */
  const beginCart = async (buyer: Person, links: string[]): Promise<string> => {
    for (const paywallId of links) await postForm(buyer, '/cart/add', { paywallId });
    return (await checkOutCart(buyer)).headers.get('location') ?? '';
  };
  /** Pays, and waits until all is unlocked. */
  const pay = async (buyer: Person, links: string[], page: string, card?: string) => {
    const success = new URL((await payAt(buyer, page, card)).headers.get('location') ?? '');
    for (const id of links) await waitUntilUnlocked(buyer, id);
    const session = success.searchParams.get('session_id') ?? '';
    const { payment_intent } = await stripeOf(sandboxPort).checkout.sessions.retrieve(session);
    return { ...keepBuyer(buyer, links), payment: String(payment_intent) };
  };
  const buy = async (id: string, card?: string) => {
    const buyer = newBuyer();
    return pay(buyer, [id], await begin(buyer, id), card);
  };
  return { sandboxPort, newBuyer, sell, begin, beginCart, pay, buy };
}

const keepBuyer = ({ cookies }: Person, links: string[]): KeptBuyer => ({
  cookies: [...cookies],
  links,
});

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

const personalPath = async (app: App, email: string): Promise<string> =>
  /\/access\/\S+/.exec((await readMail(app, email)).text)?.[0] ?? '';

async function sellOften(app: App, { sell, buy }: Shop) {
  const seller = await signUp(app, { email: 'ada@example.com' });
  const id = await sell(seller);
  for (let sale = 0; sale < SALES; sale += 1) await buy(id);
  const path = await personalPath(app, BUYER_EMAIL);
  return { id, seller: seller.email, grossCents: SALES * PRICE, personalPath: path };
}

async function openCheckouts({ newBuyer, sell, begin, beginCart }: Shop, seller: Person) {
  const open = async (links: string[], beginIt: (buyer: Person) => Promise<string>) => {
    const buyer = newBuyer();
    const path = pathOf(await beginIt(buyer));
    return { ...keepBuyer(buyer, links), path };
  };
  const openOne = async (more?: object) => {
    const id = await sell(seller);
    return open([id], (buyer) => begin(buyer, id, more));
  };
  const named = await sell(seller);
  await updateLink(seller, { id: named, least: 200 });
  const cart = [await sell(seller), await sell(seller)];
  const recipient = 'cleo@example.com';
  return {
    recipient,
    open: {
      single: await openOne(),
      named: await open([named], (buyer) => begin(buyer, named, { amount: '12.50' })),
      cart: await open(cart, (buyer) => beginCart(buyer, cart)),
      gift: await openOne({ gift: { email: recipient } }),
    },
  };
}

async function sellAll(app: App, shop: Shop, seller: Person) {
  const { sandboxPort, newBuyer, sell, begin, beginCart, pay, buy } = shop;
  const stripe = stripeOf(sandboxPort);
  const sellOnce = async (card?: string) => buy(await sell(seller), card);
  const cart = [await sell(seller), await sell(seller)];
  const buyer = newBuyer();
  const parts = [await sell(seller), await sell(seller)];
  const bundle = await sell(seller, { type: 'bundle', url: undefined, parts });
  const paid = {
    cart: await pay(buyer, cart, await beginCart(buyer, cart)),
    bundle: await buy(bundle),
    refundedInPart: await sellOnce(),
    refundPending: await sellOnce(SLOW_CARD),
    disputed: await sellOnce(),
    lost: await sellOnce(),
  };
  const { payment: part } = paid.refundedInPart;
  await stripe.refunds.create({ payment_intent: part, amount: PRICE / 4 });
  const contest = ({ payment }: { payment: string }) =>
    letHappen<{ id: string }>(sandboxPort, 'disputes', { payment_intent: payment });
  const { id: dispute } = await contest(paid.disputed);
  await stripe.disputes.close((await contest(paid.lost)).id);
  const [giver, email, link] = [newBuyer(), 'dora@example.com', await sell(seller)];
  await payAt(giver, await begin(giver, link, { gift: { email } }));
  const gift = { link, path: await personalPath(app, email) };
  return { paid, parts, dispute, gift };
}

/** Waits until all that the provider told was acted on. */
async function waitUntilHeard(app: App, sandboxPort: number): Promise<void> {
  await withDatabase(app, (db) =>
    eventually(async () => {
      const { data } = await stripeOf(sandboxPort).events.list({ limit: 100 });
      const waiting = data.filter(({ pending_webhooks }) => pending_webhooks > 0);
      const events = db.selectFrom('webhook_event').where('handled_at', 'is', null).select('id');
      const unread = [...waiting, ...(await events.execute())];
      if (unread.length > 0) throw new Error(`${unread.length} events were not acted on.`);
    }),
  );
}

/** Begins a payout and a refund: the sandbox needs two seconds for either. */
async function moveMoney(app: App, { sandboxPort, sell, buy }: Shop, payment: string) {
  const creator = await signUp(app, { email: 'eve@example.com' });
  await buy(await sell(creator));
  const { beginPayoutOnboarding } = await graphql<{ beginPayoutOnboarding: string }>(
    creator,
    'mutation { beginPayoutOnboarding(country: "US") }',
  );
  const body = new URLSearchParams({ bankAccount: BANK_ACCOUNT });
  await creator.fetch(beginPayoutOnboarding, { method: 'POST', body });
  const { requestPayout } = await eventually(() =>
    graphql<{ requestPayout: { id: string } }>(creator, 'mutation { requestPayout { id } }'),
  );
  await runCli(app.env, 'payouts', 'approve', requestPayout.id);
  await waitFor(app, 'payout', 'sent');
  await stripeOf(sandboxPort).refunds.create({ payment_intent: payment });
  await waitFor(app, 'refund', 'pending');
  return { payout: requestPayout.id };
}

async function waitFor(app: App, table: 'payout' | 'refund', state: string): Promise<void> {
  await withDatabase(app, (db) =>
    eventually(async () => {
      const found = await db.selectFrom(table).select('state').execute();
      if (!found.some((row) => row.state === state)) throw new Error(`No ${table} is ${state}.`);
    }),
  );
}

function keep({ dataDir }: App, release: Release): void {
  mkdirSync(RELEASES, { recursive: true });
  const path = join(RELEASES, VERSION);
  for (const name of DATABASES) {
    const copy = join(dataDir, `${name}.copy`);
    const database = new DatabaseSync(join(dataDir, `${name}.sqlite`));
    database.prepare('vacuum into ?').run(copy);
    database.close();
    writeFileSync(`${path}.${name}.sqlite.gz`, gzipSync(readFileSync(copy), { level: 9 }));
  }
  writeFileSync(`${path}.json`, `${JSON.stringify(release, null, 2)}\n`);
}

await keepRelease();

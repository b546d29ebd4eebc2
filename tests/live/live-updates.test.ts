import { beforeAll, expect, test } from 'vitest';
import {
  createLink,
  graphql,
  publishableKey,
  readBalance,
  sellFile,
  signIn,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { connectLive, type LiveSocket } from '../harness/live-socket.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';

const SECRET_ADDRESS = 'https://example.com/canary';

const LINK = 'id unlocked type key url price title files { key name }';
const ON_CREATE = `subscription ($owner: String) { onCreatePaywallLink(owner: $owner) { ${LINK} } }`;
const ON_UPDATE = `subscription ($id: ID, $owner: String) {
  onUpdatePaywallLink(id: $id, owner: $owner) { ${LINK} }
}`;
const ON_DELETE = `subscription ($owner: String) { onDeletePaywallLink(owner: $owner) { ${LINK} } }`;
const ON_BALANCE = 'subscription ($id: ID!) { onUpdateUserBalance(id: $id) { id balance } }';
const DELETE = `mutation ($input: DeletePaywallLinkInput!) {
  deletePaywallLink(input: $input) { id }
}`;

/** Cents that the seller has of $5.00. */
const SELLER_SHARE = 445;

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describeOnSqliteFirst('live updates', (database) => {
  const app = useApp({ database, env: { SANDBOX_PORT: String(sandboxPort) } });
  let seller: Person;
  let owner: string;
  let keys: { 'x-api-key': string };

  beforeAll(async () => {
    seller = await signUp(app);
    const attributes = await seller.fetch('/api/user-attributes');
    owner = (await readJson<{ sub: string }>(attributes)).sub;
    keys = await publishableKey(app);
  });

  const asGuest = () => connectLive(app, { keys });
  const asPerson = ({ cookies }: Person) => connectLive(app, { origin: app.origin, cookies, keys });
  const change = (input: { id: string } & Record<string, unknown>) => updateLink(seller, input);
  const sellAddress = () => createLink(seller, { type: 'link', url: SECRET_ADDRESS });

  /** Waits for an answer that comes after everything before it. */
  async function untilAnswered(socket: LiveSocket, id: string, count = 1) {
    return eventually(() => {
      const answers = socket.answers(id);
      if (answers.length < count) throw new Error(JSON.stringify(socket.messages));
      return answers;
    });
  }

  test('tell of a new, a changed and a deleted link, once each', async () => {
    const guest = await asGuest();
    await guest.subscribe('created', ON_CREATE, { owner });
    await guest.subscribe('updated', ON_UPDATE, { owner });
    await guest.subscribe('deleted', ON_DELETE, { owner });
    const { id } = await sellAddress();
    expect(await untilAnswered(guest, 'created')).toMatchObject([{ id, price: 500 }]);
    await change({ id, price: 700 });
    expect(await untilAnswered(guest, 'updated')).toMatchObject([{ id, price: 700 }]);
    await graphql(seller, DELETE, { input: { id } });
    expect(await untilAnswered(guest, 'deleted')).toMatchObject([{ id }]);
    expect(guest.messages.filter(({ type }) => type === 'next')).toHaveLength(3);
  });

  test('name one owner or one link, and tell of no other', async () => {
    const guest = await asGuest();
    const [mine, watched] = [await sellAddress(), await sellAddress()];
    await guest.subscribe('stranger', ON_UPDATE, { owner: 'somebody-else' });
    await guest.subscribe('one', ON_UPDATE, { id: watched.id });
    await change({ id: mine.id, title: 'Not asked for' });
    await change({ id: watched.id, title: 'Asked for' });
    expect(await untilAnswered(guest, 'one')).toMatchObject([{ id: watched.id }]);
    expect(guest.answers('stranger')).toEqual([]);
  });

  test('unlock the link for who paid, and tell nobody else of the sale', async () => {
    const link = await sellFile(seller);
    const [buyer, other] = [createPerson(app), createPerson(app)];
    const checkout = await checkOut(buyer, link.id);
    await checkOut(other, link.id);
    const [paying, waiting, guest] = [
      await asPerson(buyer),
      await asPerson(other),
      await asGuest(),
    ];
    for (const socket of [paying, waiting, guest]) {
      await socket.subscribe('link', ON_UPDATE, { id: link.id });
    }
    await payAt(buyer, checkout);
    expect(await untilAnswered(paying, 'link')).toMatchObject([
      { id: link.id, unlocked: true, key: link.key },
    ]);
    await change({ id: link.id, price: 900 });
    for (const socket of [waiting, guest]) {
      expect(await untilAnswered(socket, 'link')).toMatchObject([
        { price: 900, unlocked: false, key: null, url: null, files: null },
      ]);
      expect(JSON.stringify(socket.messages)).not.toContain(link.key);
    }
  });

  test('lock the link again when its payment is refunded, and tell the owner the balance', async () => {
    const link = await sellFile(seller);
    const buyer = createPerson(app);
    const checkout = await checkOut(buyer, link.id);
    const [paying, owning] = [await asPerson(buyer), await asPerson(seller)];
    await paying.subscribe('link', ON_UPDATE, { id: link.id });
    await owning.subscribe('balance', ON_BALANCE, { id: owner });
    const answer = await payAt(buyer, checkout);
    const [sold] = await untilAnswered(owning, 'balance');
    const session = new URL(answer.headers.get('location') ?? '').searchParams.get('session_id');
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session ?? '');
    await stripe.refunds.create({ payment_intent: String(payment_intent) });
    expect(await untilAnswered(paying, 'link', 2)).toMatchObject([
      { unlocked: true, key: link.key },
      { unlocked: false, key: null },
    ]);
    const balances = await untilAnswered(owning, 'balance', 2);
    expect(balances.at(-1)?.balance).toBe(Number(sold?.balance) - SELLER_SHARE);
  });

  test("unlock the link on all of a signed-in buyer's devices", async () => {
    const link = await sellFile(seller);
    const buyer = await signUp(app);
    const phone = createPerson(app);
    await signIn(phone, buyer.email);
    const socket = await asPerson(phone);
    await socket.subscribe('link', ON_UPDATE, { id: link.id });
    await payAt(buyer, await checkOut(buyer, link.id));
    expect(await untilAnswered(socket, 'link')).toMatchObject([{ unlocked: true, key: link.key }]);
  });

  test('never carry key or url to who has not paid, whatever happens to the link', async () => {
    const guest = await asGuest();
    await guest.subscribe('created', ON_CREATE);
    await guest.subscribe('updated', ON_UPDATE);
    await guest.subscribe('deleted', ON_DELETE);
    const address = await sellAddress();
    const file = await sellFile(seller, { name: 'canary.pdf' });
    for (const { id } of [address, file]) {
      await change({ id, title: 'New title' });
      await graphql(seller, DELETE, { input: { id } });
    }
    await untilAnswered(guest, 'deleted', 2);
    const heard = JSON.stringify(guest.messages);
    expect(heard).toContain('New title');
    expect(heard).not.toMatch(/canary/);
  });

  test("show the owner's socket the content, as the owner's queries do", async () => {
    const socket = await asPerson(seller);
    await socket.subscribe('created', ON_CREATE, { owner });
    const { id } = await sellAddress();
    expect(await untilAnswered(socket, 'created')).toMatchObject([
      { id, unlocked: false, url: SECRET_ADDRESS },
    ]);
  });

  test('tell the owner the new balance after a sale', async () => {
    const socket = await asPerson(seller);
    await socket.subscribe('balance', ON_BALANCE, { id: owner });
    const link = await sellFile(seller);
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, link.id));
    await waitUntilUnlocked(buyer, link.id);
    const balance = await readBalance(seller);
    expect(await untilAnswered(socket, 'balance')).toEqual([{ id: owner, balance }]);
  });

  test('are those of a guest once the session has ended, and balances end', async () => {
    const creator = await signUp(app);
    const stillIn = createPerson(app);
    await signIn(stillIn, creator.email);
    const link = await createLink(creator, { type: 'link', url: SECRET_ADDRESS });
    const socket = await asPerson(creator);
    await socket.subscribe('balance', ON_BALANCE, { id: link.owner });
    await socket.subscribe('link', ON_UPDATE, { id: link.id });
    await creator.fetch('/api/auth/sign-out', { method: 'POST' });
    await updateLink(stillIn, { id: link.id, price: 600 });
    expect(await untilAnswered(socket, 'link')).toMatchObject([
      { id: link.id, price: 600, unlocked: false, url: null },
    ]);
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, link.id));
    const refusal = await socket.find(({ type, id }) => type === 'error' && id === 'balance');
    expect(refusal.payload).toMatchObject([{ extensions: { code: 'UNAUTHORIZED' } }]);
    expect(socket.answers('balance')).toEqual([]);
    expect(JSON.stringify(socket.messages)).not.toMatch(/canary/);
  });
});

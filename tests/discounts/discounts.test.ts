import { expect, test } from 'vitest';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import { selectPurchases } from '../../server/selling/purchases/queries.ts';
import { postForm } from '../factories/cart-steps.ts';
import {
  askGraphql,
  createLink,
  graphql,
  publishableKey,
  readMail,
  readUserId,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { BUYER_EMAIL, payAt } from '../factories/payment.ts';
import { useShop } from '../factories/use-shop.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const CREATE = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
const END = 'mutation ($id: ID!) { endDiscount(id: $id) }';
const LIST = `{ listDiscounts { items {
  id code percent amount minimum from until uses usesOfBuyer links paid open state
} nextToken } }`;

type Listed = { code: string; state: string; paid: number; open: number };

describeOnSqliteFirst('a discount code', (database) => {
  const { app, clock, seller, newBuyer, begin, checkOut } = useShop(database, sandboxPort);

  async function make(input: Record<string, unknown>): Promise<string> {
    const made = await graphql<{ createDiscount: string }>(seller, CREATE, { input });
    return made.createDiscount;
  }
  const refusalOf = async (answer: Promise<Response>) => {
    const { code, detail } = (await (await answer).json()) as Record<string, string>;
    return code === 'DISCOUNT_REFUSED' ? detail : `${code}: ${detail}`;
  };
  async function see(buyer: Person, id: string, code: string | null) {
    type Seen = {
      takesCodes: boolean;
      discount: { price: number | null; refusal: string | null } | null;
    };
    const { getPaywallLink } = await graphql<{ getPaywallLink: Seen }>(
      buyer,
      'query ($id: ID!, $code: String) { getPaywallLink(id: $id) { takesCodes discount(code: $code) { price refusal } } }',
      { id, code },
      await publishableKey(app),
    );
    return getPaywallLink;
  }
  async function listed(code: string): Promise<Listed | undefined> {
    const { listDiscounts } = await graphql<{ listDiscounts: { items: Listed[] } }>(seller, LIST);
    return listDiscounts.items.find((item) => item.code === code);
  }
  const purchaseOf = (link: string) =>
    withDatabase(app, (db) =>
      selectPurchases(db)
        .where('link_id', '=', link)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow(),
    );

  test('lowers what is paid, and everything after it shows what was paid', async () => {
    const { id } = await sellFile(seller, { price: 1005 });
    await updateLink(seller, { id, title: 'Algebra in a week' });
    const path = `/p/${id}`;
    const guest = createPerson(app);
    expect(await readPage(guest, path)).not.toContain('discount code');
    const code = 'Spring-10';
    const discount = await make({ code, percent: 10, links: [id], uses: 1 });
    const first = newBuyer();
    expect(await see(first, id, null)).toEqual({ takesCodes: true, discount: null });
    // 10% of 1005 are 100.5, rounded half up to 101.
    const lowered = { price: 904, refusal: null };
    expect(await see(first, id, ' spring-10 ')).toMatchObject({ discount: lowered });
    await eventually(async () =>
      expect(await readPage(guest, path)).toContain('Have a discount code?'),
    );
    const url = await checkOut(first, id, 'spring-10');
    expect(await purchaseOf(id)).toMatchObject({
      list_cents: 1005,
      price_cents: 904,
      fee_cents: 75,
    });
    // A plain form that is refused for something else keeps it.
    const form = { paywallId: id, code, giftEmail: 'nobody' };
    const refused = await (await postForm(first, '/prod/checkout', form)).text();
    expect(refused).toContain(
      'Enter the email address that the gift goes to, such as name@example.com.',
    );
    expect(refused).toMatch(/<input(?=[^>]* name="code")(?=[^>]* value="Spring-10")/);
    expect(refused).toContain('$9.04');
    // Their own checkout is no reason to refuse them: it is offered again.
    expect(await see(first, id, code)).toMatchObject({ discount: lowered });
    expect(await checkOut(first, id, code)).toBe(url);
    const late = 'This discount code has been used up.';
    const second = newBuyer();
    expect(await see(second, id, code)).toMatchObject({ discount: { price: null, refusal: late } });
    expect(await refusalOf(begin(second, id, code))).toBe(late);
    expect(await listed('SPRING-10')).toMatchObject({ state: 'active', paid: 0, open: 1 });
    // Another price ends a checkout; anything else leaves one alone that costs less than the link.
    // A price that was changed back might be looked at in between.
    const ownerId = await readUserId(seller);
    await withDatabase(app, async (db) => {
      await enqueue(db, 'end-checkouts', { ownerId, linkId: id }, Date.now());
      await waitUntilIdle(db, sandboxPort);
    });
    expect(await purchaseOf(id)).toMatchObject({ state: 'open' });
    expect((await payAt(first, url)).status).toBe(303);
    await waitUntilUnlocked(first, id);
    await expectBooks(app, id, {
      creator: 829,
      platform_fee: 75,
      provider: -848,
      processing_cost: -56,
    });
    expect((await readMail(app, BUYER_EMAIL, /Algebra/)).text).toContain('$9.04');
    const table = await (await seller.fetch('/dashboard/sales.csv')).text();
    expect(table).toMatch(/,9\.04,0\.75,8\.29,.*,SPRING-10,\r\n/);
    expect(await listed('SPRING-10')).toMatchObject({ state: 'used', paid: 1, open: 0 });
    const again = { input: { code, amount: 100 } };
    expect((await askGraphql(seller, CREATE, again)).errors?.[0]?.message).toContain(
      'End it first',
    );
    await graphql(seller, END, { id: discount });
    await make({ code, amount: 100, links: [id], until: new Date(Date.now() + HOUR_MS) });
    expect(await see(second, id, code)).toMatchObject({ discount: { price: 905 } });
    // Another code of the same worth is another use.
    await make({ code: 'SAME', amount: 100, links: [id] });
    const withFirst = await checkOut(second, id, code);
    expect(await checkOut(second, id, 'same')).not.toBe(withFirst);
    expect(await listed('SAME')).toMatchObject({ open: 1 });
  });

  test('is refused with the reason before anything is paid', async () => {
    const [one, other] = [await sellFile(seller), await sellFile(seller, { price: 100 })];
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    await make({ code: 'ONLYONE', percent: 20, links: [one.id] });
    await make({ code: 'LATER', percent: 20, from: at(1), until: at(2), usesOfBuyer: 1 });
    await make({ code: 'DEAR', amount: 100, minimum: 501 });
    await make({ code: 'ALMOST-FREE', amount: 100 });
    const buyer = newBuyer();
    const none = 'There is no such discount code for this link.';
    expect(await refusalOf(begin(buyer, other.id, 'ONLYONE'))).toBe(none);
    expect(await refusalOf(begin(buyer, one.id, 'NOSUCH'))).toBe(none);
    expect(await refusalOf(begin(buyer, one.id, 'LATER'))).toMatch(/can be used from .* UTC/);
    expect(await refusalOf(begin(buyer, one.id, 'DEAR'))).toMatch(/prices from \$5\.01/);
    // Nothing is less than the provider takes.
    const less = await refusalOf(begin(buyer, other.id, 'ALMOST-FREE'));
    expect(less).toMatch(/less of the price than can be paid/);
    clock.ahead = HOUR_MS;
    const thrifty = newBuyer();
    expect((await payAt(thrifty, await checkOut(thrifty, one.id, 'later'))).status).toBe(303);
    await waitUntilUnlocked(thrifty, one.id);
    const { id: third } = await createLink(seller, { type: 'link', url: 'https://example.com' });
    expect(await refusalOf(begin(thrifty, third, 'LATER'))).toMatch(
      /cannot use this discount code again/,
    );
    clock.ahead = 2 * HOUR_MS;
    const latecomer = newBuyer();
    expect(await refusalOf(begin(latecomer, one.id, 'LATER'))).toMatch(/until .* UTC/);
    clock.ahead = 0;
    // Without JavaScript: the page again, at its full price, with the reason.
    const posted = await newBuyer().fetch('/prod/checkout', {
      method: 'POST',
      body: new URLSearchParams({ paywallId: one.id, code: 'NOSUCH' }),
    });
    expect(posted.status).toBe(409);
    expect(await posted.text()).toContain(none);
    const form = await readPage(newBuyer(), `/p/${one.id}?code=onlyone`);
    expect(form).toMatch(/\$4\.00/);
    expect(form).toContain('$1.00 off the usual price of $5.00');
    const html = await (await newBuyer().fetch(`/p/${one.id}?code=onlyone`)).text();
    expect(html).toMatch(/<input type="hidden" name="code" value="onlyone"\/>/);
    expect(await readPage(newBuyer(), `/p/${one.id}?code=nosuch`)).toContain(none);
  });

  test('that 50 buyers use for the last time at once is one’s, and free again when nobody pays', async () => {
    const { id } = await sellFile(seller);
    await make({ code: 'LAST', amount: 100, links: [id], uses: 1 });
    const buyers = Array.from({ length: 50 }, newBuyer);
    const answers = await Promise.all(buyers.map((buyer) => begin(buyer, id, 'LAST')));
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused).toHaveLength(49);
    for (const answer of refused) {
      expect(((await answer.json()) as { code: string }).code).toBe('DISCOUNT_REFUSED');
    }
    const [loser] = buyers.filter((_, index) => answers[index]?.status === 409);
    if (!loser) throw new Error('All of them won');
    const begun = await purchaseOf(id);
    await stripe.checkout.sessions.expire(begun.session_id ?? '');
    clock.ahead += 37 * MINUTE_MS;
    await eventually(async () => expect((await purchaseOf(id)).state).toBe('expired'));
    const url = await checkOut(loser, id, 'LAST');
    // Ended, it stays good for whoever is at the checkout, and for nobody else.
    const { listDiscounts } = await graphql<{
      listDiscounts: { items: { id: string; code: string }[] };
    }>(seller, LIST);
    const ended = listDiscounts.items.find(({ code }) => code === 'LAST')?.id;
    await graphql(seller, END, { id: ended });
    expect(await refusalOf(begin(newBuyer(), id, 'LAST'))).toMatch(/no such discount code/);
    expect((await payAt(loser, url)).status).toBe(303);
    await waitUntilUnlocked(loser, id);
    expect(await listed('LAST')).toMatchObject({ state: 'ended', paid: 1, open: 0 });
  });

  test('is made of what makes sense, for links of one’s own', async () => {
    const stranger = await signUp(app);
    const { id } = await sellFile(stranger);
    const faults: [Record<string, unknown>, RegExp][] = [
      [{ code: 'NO' }, /3 to 32 letters/],
      [{ code: 'BOTH', percent: 10, amount: 10 }, /either/],
      [{ code: 'NEITHER' }, /either/],
      [{ code: 'MORE', percent: 101 }, /from 1 to 100/],
      [{ code: 'LESS', amount: 0 }, /valid amount/],
      [{ code: 'MINUS', amount: 10, minimum: -1 }, /minimum price/],
      [{ code: 'MANY', amount: 10, uses: 10_001 }, /from 1 to 10,000/],
      [{ code: 'OVER', amount: 10, until: '2020-01-01' }, /in the future/],
      [{ code: 'WHEN', amount: 10, until: 'soon' }, /Times are written/],
      [{ code: 'WHEN', amount: 10, until: '2099-02-30' }, /Times are written/],
      [{ code: 'THEIRS', amount: 10, links: [id] }, /You have no link/],
      [{ code: 'NONE', amount: 10, links: [] }, /Choose 1 to 100/],
      [{ code: 'TYPO', amount: 10, links: ['1a2b3c'] }, /You have no link “1a2b3c”/],
      [{ code: 'LONG', amount: 10, links: [`${id}9`] }, /You have no link/],
      [{ code: 'OTHER', amount: 10, links: ['/s/nobody/notes'] }, /You have no link/],
    ];
    for (const [input, message] of faults) {
      const { errors } = await askGraphql(seller, CREATE, { input });
      expect(errors?.[0]?.message, JSON.stringify(input)).toMatch(message);
      expect(errors?.[0]?.extensions?.code).toBe('INVALID_INPUT');
    }
    const mine = await make({ code: 'MINE', percent: 50 });
    const { errors } = await askGraphql(stranger, END, { id: mine });
    expect(errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
    expect(await see(newBuyer(), id, 'MINE')).toMatchObject({ discount: { price: null } });
  });

  test('is for what was named by an id or any address, and asked for only while it may be used', async () => {
    const [first, second] = [await sellFile(seller), await sellFile(seller)];
    await graphql(seller, 'mutation { setSellerPage(handle: "codes", links: []) }');
    await updateLink(seller, { id: second.id, short: 'notes' });
    const links = [`${app.origin}/p/${first.id.toUpperCase()}?from=mail`, '/s/codes/notes'];
    await make({ code: 'NAMED', percent: 10, links });
    const { listDiscounts } = await graphql<{
      listDiscounts: { items: { code: string; links: string[] }[] };
    }>(seller, '{ listDiscounts { items { code links } } }');
    const named = listDiscounts.items.find(({ code }) => code === 'NAMED');
    expect(named?.links.sort()).toEqual([first.id, second.id].sort());
    const alone = await signUp(app);
    const { id: linkId } = await sellFile(alone);
    const input = { code: 'AUTUMN', percent: 10 };
    await graphql(alone, CREATE, { input });
    expect(await see(newBuyer(), linkId, null)).toMatchObject({ takesCodes: true });
    await withDatabase(app, (db) =>
      db.updateTable('discount').set({ ends_at: 1 }).where('code', '=', 'AUTUMN').execute(),
    );
    expect(await see(newBuyer(), linkId, null)).toMatchObject({ takesCodes: false });
  });
});

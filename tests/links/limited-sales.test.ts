import { expect, test } from 'vitest';
import { selectPurchases } from '../../server/selling/purchases/queries.ts';
import {
  askGraphql,
  graphql,
  sellFile,
  signUp,
  UPDATE_LINK,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payAt } from '../factories/payment.ts';
import { useShop } from '../factories/use-shop.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60_000;
const NO_ENDS = ['soon', '2099-02-30T00:00:00Z', '2099-04-31', '-000001-01-01T00:00:00Z'].map(
  (until) => ({ until }),
);

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describeOnBothDatabases('a link of which a few copies are sold', (database) => {
  const { app, clock, seller, newBuyer, begin, checkOut } = useShop(database, sandboxPort);
  const detailOf = async (answer: Response) => {
    const { code, detail } = (await answer.json()) as Record<string, string>;
    return `${code}: ${detail}`;
  };
  const SOLD_OUT = 'NOT_ON_SALE: All copies are sold, or are being paid for. Nothing was charged.';

  test('sells the last one of them to one of 50, and again if nobody pays', async () => {
    const { id } = await sellFile(seller);
    const guest = createPerson(app);
    expect(await readPage(guest, `/p/${id}`)).not.toContain('left');
    await graphql(seller, 'mutation { setSellerPage(handle: "few", links: []) }');
    expect(await readPage(guest, '/s/few')).not.toContain(' left<');
    await updateLink(seller, { id, copies: 2 });
    for (const path of ['/explore', '/s/few']) {
      expect(await readPage(guest, path)).toContain('2 left');
    }
    expect(await readPage(guest, `/p/${id}`)).toContain('2 left');
    const first = newBuyer();
    expect((await payAt(first, await checkOut(first, id))).status).toBe(303);
    await waitUntilUnlocked(first, id);
    // A guest's page is kept, and would go on saying what it said.
    expect(await readPage(guest, `/p/${id}`)).toContain('1 left');
    expect(await readPage(guest, '/s/few')).toContain('1 left');
    const buyers = Array.from({ length: 50 }, newBuyer);
    const answers = await Promise.all(buyers.map((buyer) => begin(buyer, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(await detailOf(answer)).toBe(SOLD_OUT);
    }
    const winner = buyers[answers.findIndex(({ status }) => status === 200)] ?? first;
    const loser = buyers[answers.findIndex(({ status }) => status !== 200)] ?? first;
    // One with an account is told the same.
    expect(await detailOf(await begin(await signUp(app), id))).toBe(SOLD_OUT);
    const sold = await readPage(guest, `/p/${id}`);
    expect(sold).toContain('All copies are sold, or are being paid for.');
    expect(sold).not.toContain('Unlock Now');
    expect(await readPage(guest, '/explore')).toContain('Sold out');
    // Whoever has the last one reserved is not told that it is sold, and gets no second one.
    expect(await readPage(winner, `/p/${id}`)).toContain('1 left');
    await checkOut(winner, id);
    const purchase = () =>
      withDatabase(app, (db) =>
        selectPurchases(db)
          .where('link_id', '=', id)
          .where('state', '!=', 'settled')
          .executeTakeFirstOrThrow(),
      );
    await stripe.checkout.sessions.expire((await purchase()).session_id ?? '');
    clock.ahead += HOUR_MS;
    await eventually(async () => expect((await purchase()).state).toBe('expired'));
    expect((await payAt(loser, await checkOut(loser, id))).status).toBe(303);
    await waitUntilUnlocked(loser, id);
    expect(await detailOf(await begin(newBuyer(), id))).toBe(SOLD_OUT);
    expect(await readPage(seller, '/dashboard')).toContain('Sold out');
    await updateLink(seller, { id, copies: 0 });
    await checkOut(newBuyer(), id);
  });

  test('is sold until its last day', async () => {
    const { id } = await sellFile(seller);
    const until = new Date(Date.now() + clock.ahead + HOUR_MS);
    await updateLink(seller, { id, until: until.toISOString() });
    const day = new Date(until.getTime() - 1).toLocaleDateString('en-US', {
      dateStyle: 'medium',
      timeZone: 'UTC',
    });
    expect(await readPage(newBuyer(), `/p/${id}`)).toContain(`until ${day}`);
    const early = newBuyer();
    const url = await checkOut(early, id);
    clock.ahead += HOUR_MS;
    const late = await readPage(newBuyer(), `/p/${id}`);
    expect(late).toMatch(/This was on sale until .+ UTC\./);
    expect(late).not.toContain('Unlock Now');
    expect(await detailOf(await begin(newBuyer(), id))).toMatch(
      /^NOT_ON_SALE: This was on sale until/,
    );
    expect((await payAt(early, url)).status).toBe(303);
    await waitUntilUnlocked(early, id);
    for (const input of [{ copies: -1 }, { copies: 10_001 }, ...NO_ENDS]) {
      const { errors } = await askGraphql(seller, UPDATE_LINK, { input: { id, ...input } });
      expect(errors?.[0]?.extensions?.code).toBe('INVALID_INPUT');
    }
  });
});

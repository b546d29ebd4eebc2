import { beforeAll, expect, test } from 'vitest';
import {
  readBalance,
  seeLink,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describeOnSqliteFirst('a declined card', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  test('is told on the checkout, grants nothing, and another card may follow', {
    tags: 'long',
  }, async () => {
    const before = await readBalance(seller);
    const { id } = await sellFile(seller, { price: 1000 });
    const visitor = createPerson(app);
    const checkout = await checkOut(visitor, id);
    const declined = await payAt(visitor, checkout, CARDS.declines);
    expect(declined.status).toBe(402);
    expect(await declined.text()).toMatch(/declined/i);
    expect(await seeLink(visitor, id)).toMatchObject({ unlocked: false });
    expect(await readBalance(seller)).toBe(before);

    expect((await payAt(visitor, checkout, CARDS.pays)).status).toBe(303);
    await waitUntilUnlocked(visitor, id);
    expect(await readBalance(seller)).toBe(before + 920);
  });

  test('a card that asks for a confirmation grants nothing before it', async () => {
    const { id } = await sellFile(seller);
    const visitor = createPerson(app);
    await payAt(visitor, await checkOut(visitor, id), CARDS.asksForConfirmation);
    expect(await seeLink(visitor, id)).toMatchObject({ unlocked: false });
  });

  test('a checkout that was left can be gone back to', { tags: 'long' }, async () => {
    const { id } = await sellFile(seller);
    const visitor = createPerson(app);
    const checkout = await checkOut(visitor, id);
    expect(await checkOut(visitor, id)).toBe(checkout);
    expect((await payAt(visitor, checkout)).status).toBe(303);
    await waitUntilUnlocked(visitor, id);
  });

  test('what is paid and unlocked is not sold to the same visitor again', {
    tags: 'long',
  }, async () => {
    const { id } = await sellFile(seller);
    const visitor = createPerson(app);
    await payAt(visitor, await checkOut(visitor, id));
    await waitUntilUnlocked(visitor, id);
    expect(await checkOut(visitor, id)).toBe(`${app.origin}/p/${id}`);
  });
});

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { postForm } from '../factories/cart-steps.ts';
import {
  createLink,
  graphql,
  sellFile,
  signUp,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { findRepeated } from './find-repeated.ts';

const PHONE = { width: 375, height: 667 };
const SELLER = 'Ada’s study room';
const TITLE = 'Organic chemistry, with all mechanisms drawn out';
/** Longer than the screen. */
const DESCRIPTION = Array.from({ length: 60 }, (_, line) => `Page ${line} draws another one.`).join(
  '\n',
);
const ADDRESS = { type: 'link', url: 'https://example.com/' };

const KINDS = {
  'a file': { price: '$4.99', press: 'Unlock Now' },
  'several files': { price: '$4.99', press: 'Unlock Now' },
  'a web address': { price: '$4.99', press: 'Unlock Now' },
  'a bundle': { price: '$4.99', press: 'Unlock Now' },
  'what buyers name the price of': { price: null, press: 'Unlock Now' },
  'what is free': { price: 'Free', press: 'Unlock Now' },
  'what is sold out': { price: '$4.99', press: 'More from this seller' },
  'what is paused': { price: '$4.99', press: 'More from this seller' },
};
type Kind = keyof typeof KINDS;

describe('the paywall at first sight', () => {
  const app = useApp();
  let seller: Person;
  let ids: Record<Kind, string>;

  beforeAll(async () => {
    seller = await signUp(app);
    const describeSeller = `mutation ($name: String) {
      setSellerName(name: $name)
      setSellerPage(handle: "ada", about: "", links: [])
    }`;
    await graphql(seller, describeSeller, { name: SELLER });
    const sell = async (input: Record<string, unknown>) => {
      const words = { title: TITLE, description: DESCRIPTION, price: 499 };
      return (await createLink(seller, { ...words, ...input })).id;
    };
    const store = async (name: string) =>
      (await uploadFile(seller, { name, bytes: new Uint8Array(1_000) })).key;
    const keys = [await store('one.pdf'), await store('two.pdf')];
    const parts = [
      await sell({ key: await store('part.pdf'), title: 'The first half' }),
      await sell({ ...ADDRESS, title: 'The second half', price: 300 }),
    ];
    ids = {
      'a file': await sell({ key: await store('notes.pdf') }),
      'several files': await sell({ key: keys[0], files: keys }),
      'a web address': await sell(ADDRESS),
      'a bundle': await sell({ type: 'bundle', parts }),
      'what buyers name the price of': await sell(ADDRESS),
      'what is free': await sell({ ...ADDRESS, unlocked: true }),
      'what is sold out': await sell(ADDRESS),
      'what is paused': await sell(ADDRESS),
    };
    await updateLink(seller, { id: ids['what buyers name the price of'], least: 0 });
    await updateLink(seller, { id: ids['what is sold out'], copies: 1 });
    await updateLink(seller, { id: ids['what is paused'], paused: true });
    const buyer = createPerson(app);
    await payFor(buyer, ids['what is sold out']);
    await waitUntilUnlocked(buyer, ids['what is sold out']);
  });

  const press = (page: Page, name: string) =>
    page.getByRole('button', { name }).or(page.getByRole('link', { name }));

  test.each(Object.entries(KINDS))(
    'of %s has title, seller, price and what to press on a phone, then the description, and nothing twice',
    async (kind, said) => {
      const page = await openPage(app, { viewport: PHONE });
      await page.goto(`/p/${ids[kind as Kind]}`);
      const price = said.price
        ? page.getByRole('region', { name: 'Offer' }).getByText(said.price, { exact: true })
        : page.getByLabel('Your price (USD)');
      const parts = {
        title: page.getByRole('heading', { level: 2, name: TITLE }),
        seller: page.getByText(`by ${SELLER}`, { exact: true }),
        price,
        button: press(page, said.press),
      };
      for (const [name, part] of Object.entries(parts)) {
        expect(await isInSight(part), name).toBe(true);
      }
      const words = page.locator('.paywall-words');
      expect(await isInSight(words, 20), 'description').toBe(true);
      // What is pressed stays in reach while all of it is read.
      await words.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      expect(await isInSight(parts.button), 'button later').toBe(true);
      expect(await findRepeated(page)).toEqual([]);
    },
  );

  test('of a file for $3 has one thing to press, and two quiet ones at most', async () => {
    const { id } = await sellFile(await signUp(app), { price: 300 });
    const page = await openPage(app, { viewport: PHONE });
    await page.goto(`/p/${id}`);
    const all = page.locator('main').locator('a[href], button, input, select, summary');
    const shown = await all.filter({ visible: true }).all();
    const names = await Promise.all(shown.map((each) => each.textContent()));
    expect(names).toEqual(['Unlock Now', 'Give as a gift']);
    expect(await page.locator('main .button').allTextContents()).toEqual(['Unlock Now']);
  });

  test('has a cart for whoever has something in it, or could buy more of the seller', async () => {
    const alone = await signUp(app);
    const { id } = await sellFile(alone);
    const offersCart = async (person: Person) =>
      (await readPage(person, `/p/${id}`)).includes('Add to cart');
    const guest = createPerson(app);
    const shopper = createPerson(app);
    expect(await offersCart(guest)).toBe(false);
    await postForm(shopper, '/cart/add', { paywallId: ids['a file'] });
    expect(await offersCart(shopper)).toBe(true);
    expect(await offersCart(guest)).toBe(false);
    const other = await sellFile(alone);
    await eventually(async () => expect(await offersCart(guest)).toBe(true));
    await updateLink(alone, { id: other.id, paused: true });
    await eventually(async () => expect(await offersCart(guest)).toBe(false));
  });
});

/** Whether it, or its beginning, is on the screen with nothing before it. */
function isInSight(part: Locator, height?: number): Promise<boolean> {
  return part.evaluate((element, height) => {
    const box = element.getBoundingClientRect();
    const bottom = box.top + (height ?? box.height);
    if (box.top < 0 || bottom > innerHeight) return false;
    const places = [box.top + 2, bottom - 2];
    return places.every((y) => {
      const seen = document.elementFromPoint(box.left + Math.min(20, box.width / 2), y);
      return element.contains(seen) || seen?.contains(element);
    });
  }, height);
}

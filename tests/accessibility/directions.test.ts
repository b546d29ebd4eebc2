import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { postForm } from '../factories/cart-steps.ts';
import {
  createLink,
  graphql,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const SAMPLE = 'עברית "קובץ" 7 (חדש)!';
type Edges = { left: number; right: number };

const PHONE = { width: 375, height: 800 };

describe('a title, a name, a description and a file in Hebrew, on a page in English', () => {
  const app = useApp();
  let creator: Person;
  let buyer: Person;
  let id: string;

  beforeAll(async () => {
    creator = await signUp(app, { firstName: SAMPLE });
    const page = `mutation ($name: String) {
      setSellerName(name: $name)
      setSellerPage(handle: "ivrit", about: $name, links: [])
    }`;
    await graphql(creator, page, { name: SAMPLE });
    ({ id } = await sellFile(creator, { name: SAMPLE }));
    await updateLink(creator, { id, title: SAMPLE, description: `${SAMPLE}\nIn English.` });
    const long = { type: 'link', url: 'https://a.example/', title: `${SAMPLE} `.repeat(5) };
    await createLink(creator, long);
    buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  });

  async function visit(path: string, as?: Person): Promise<Page> {
    const page = await openPage(app, { ...(as && { as }), viewport: PHONE });
    await page.goto(path);
    return page;
  }

  /** Shown so often, each time with its mark to the left of its first letter. */
  async function expectOrder(page: Page, times: number): Promise<void> {
    const places = await measure(page);
    expect(places.length).toBeGreaterThanOrEqual(times);
    for (const { text, mark, first, before, after } of places) {
      expect.soft(mark, text).toBeLessThan(first);
      if (before !== null) expect.soft(before, text).toBeLessThan(mark);
      if (after !== null) expect.soft(after, text).toBeGreaterThan(first);
    }
  }

  test('is read in its own order by buyers', async () => {
    const guest = createPerson(app);
    await postForm(guest, '/cart/add', { paywallId: id });
    // Title, seller and description; title, seller and the first of the long one.
    await expectOrder(await visit(`/p/${id}`), 3);
    await expectOrder(await visit('/explore'), 2);
    await expectOrder(await visit('/s/ivrit'), 3);
    await expectOrder(await visit('/cart', guest), 2);
  });

  test('is read in its own order by who bought it', async () => {
    await expectOrder(await visit(`/p/${id}`, buyer), 4);
    await expectOrder(await visit('/purchases', buyer), 2);
  });

  test('is read in its own order by its creator', async () => {
    await expectOrder(await visit('/dashboard', creator), 2);
    await expectOrder(await visit('/dashboard/sales', creator), 1);
    await expectOrder(await visit(`/upload?link=${id}`, creator), 1);
  });

  test('a title and a description begin where their language begins, rows where the page does', async () => {
    const page = await visit(`/p/${id}`);
    for (const text of [
      page.getByRole('heading', { name: SAMPLE }),
      page.locator('.paywall-words'),
    ]) {
      const [line, box] = await placesOf(text, SAMPLE);
      expect(line.right).toBeCloseTo(box.right, 0);
    }
    const [english, description] = await placesOf(page.locator('.paywall-words'), 'In English.');
    expect(english.left).toBeCloseTo(description.left, 0);
    const dashboard = await visit('/dashboard', creator);
    const [name, row] = await placesOf(dashboard.getByText(SAMPLE, { exact: true }), SAMPLE);
    expect(name.left).toBeCloseTo(row.left, 0);
  });

  test.each(['/dashboard', '/explore'])(
    'on %s, a long title is cut off at its end',
    async (path) => {
      const page = await visit(path, creator);
      const title = page.locator('[dir=auto]', { hasText: `${SAMPLE} ${SAMPLE}` });
      const [beginning, box] = await placesOf(title, 'עברית');
      expect(beginning.right).toBeLessThanOrEqual(box.right + 1);
      expect(beginning.left).toBeGreaterThan(box.left);
      const isCut = await title.evaluate(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth || scrollHeight > clientHeight,
      );
      expect(isCut).toBe(true);
    },
  );

  test('what is typed has the direction of its language', async () => {
    const page = await visit(`/dashboard?edit=${id}`, creator);
    const field = page.getByLabel('Title (optional)');
    await field.waitFor();
    const direction = () => field.evaluate((input) => getComputedStyle(input).direction);
    expect(await direction()).toBe('rtl');
    await field.fill('Notes');
    expect(await direction()).toBe('ltr');
  });
});

/** Where words stand, and what there is around them without padding: edges in pixels. */
function placesOf(around: Locator, words: string): Promise<[Edges, Edges]> {
  return around.evaluate((element, words) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const text = walker.nextNode() as Text;
    const range = document.createRange();
    range.setStart(text, text.data.indexOf(words));
    range.setEnd(text, range.startOffset + words.length);
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    const { left, right } = element.getBoundingClientRect();
    return [
      range.getBoundingClientRect(),
      {
        left: left + Number.parseFloat(paddingLeft),
        right: right - Number.parseFloat(paddingRight),
      },
    ];
  }, words);
}

/** Each sight of the sample that is on one line: its last sign, its first letter, and what stands beside it. */
async function measure(page: Page) {
  return page.evaluate((sample) => {
    const found: {
      text: string;
      mark: number;
      first: number;
      before: number | null;
      after: number | null;
    }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const start = node.data.indexOf(sample);
      if (start < 0 || node.parentElement?.closest('script, .sr-only')) continue;
      const end = start + sample.length - 1;
      const [first, mark] = [placeOf(node, start), placeOf(node, end)];
      if (first.top !== mark.top) continue;
      const beside = (at: number) => {
        const place = at >= 0 && at < node.data.length ? placeOf(node, at) : null;
        return place && place.width > 0 && place.top === first.top ? place.left : null;
      };
      // Signs of direction stand between.
      const isAmong = node.data[start - 1] === '\u2068';
      found.push({
        text: node.data,
        mark: mark.left,
        first: first.left,
        before: isAmong ? beside(start - 3) : null,
        after: isAmong ? beside(end + 2) : null,
      });
    }
    return found;

    function placeOf(node: Text, at: number): DOMRect {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect();
    }
  }, SAMPLE);
}

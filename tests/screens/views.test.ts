import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { graphql, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const VIEWS = 'query ($id: ID!) { getPaywallLink(id: $id) { statistics { views } } }';

describe('a view of a paywall page', () => {
  const app = useApp();
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  async function readViews(id: string): Promise<number> {
    type Answer = { getPaywallLink: { statistics: { views: number } } };
    const { getPaywallLink: link } = await graphql<Answer>(creator, VIEWS, { id });
    return link.statistics.views;
  }

  /** Waits for the image that counts. */
  async function visit(page: Page, id: string): Promise<void> {
    const counted = page.waitForResponse(`**/p/${id}/view.gif`);
    await page.goto(`/p/${id}`);
    await (await counted).finished();
  }

  test('is counted without JavaScript, and for each browser once', async () => {
    const { id } = await sellFile(creator);
    await visit(await openPage(app, { javaScript: false }), id);
    const page = await openPage(app, { context: { userAgent: 'Another browser' } });
    await visit(page, id);
    await visit(page, id);
    expect(await page.context().cookies()).toEqual([]);
    await eventually(async () => expect(await readViews(id)).toBe(2));
  });

  test('by the owner of the link is none', async () => {
    const { id } = await sellFile(creator);
    const page = await openPage(app, { as: creator });
    await page.goto(`/p/${id}`);
    expect(await page.locator('img[src$="view.gif"]').count()).toBe(0);
    await visit(await openPage(app), id);
    await eventually(async () => expect(await readViews(id)).toBe(1));
  });
});

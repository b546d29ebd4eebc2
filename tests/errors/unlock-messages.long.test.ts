import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLink, sellFile, signUp } from '../factories/factories.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { startProviderProxy } from './provider-proxy.ts';
import { runSql } from './run-sql.ts';
import { takeTableAway } from './take-table-away.ts';
import { expectUnlockError } from './unlock-error.ts';

const provider = await startProviderProxy();
afterAll(provider.stop);

/** A message of the specification's error catalogue (§8), and when a press of the button says it. */
interface Row {
  when: string;
  says: string;
  /** The id of the link whose page is opened. */
  of(): string | Promise<string>;
  /** What goes wrong between the visit and the press; it returns what puts that right. */
  spoil?(id: string, page: Page): unknown;
  /** Where the next press leads once it was put right. */
  leadsTo?: string | RegExp;
  /** What the browser and the page write in the console. */
  logs?: RegExp;
  needs?: 'script' | 'no endpoint';
}

const CHECKOUT = /\/sandbox\/checkout\//;
const UNKNOWN = /404 \/(p|prod)\/\S+/;
const NOT_BEGUN = /50[02] \/prod\/checkout|Error: Failed to create checkout session/;
const FAILED =
  /500 \/prod\/checkout|RequestError: Something went wrong on our side\. Please try again\./;
const UNREACHABLE =
  /net::ERR_INTERNET_DISCONNECTED \/\S+|WebSocket connection to '\/graphql' failed: .+|TypeError: Failed to fetch/;
const UNDELIVERABLE = /500 \/p\/[0-9a-f]{8}\/content/;

describe('a press of the button on a paywall page', () => {
  afterEach(() => provider.fail('none'));
  const app = useApp(provider);
  const closed = useApp({ env: { CHECKOUT_API_ENDPOINT: '' } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const sell = async () => (await sellFile(seller)).id;
  const sellWithoutCheckout = async () => (await sellFile(await signUp(closed))).id;

  async function deleteAtOnce() {
    const id = await sell();
    await deleteLink(seller, id);
    return id;
  }

  const giveAway = async (broken: string) => {
    const address = { type: 'link', url: `${app.origin}/terms`, unlocked: true };
    const { id } = await createLink(seller, address);
    await change(id, broken);
    return id;
  };

  const change = (id: string, columns: string) =>
    runSql(
      app,
      `PRAGMA ignore_check_constraints = ON; UPDATE link SET ${columns} WHERE id = '${id}'`,
    );
  const mend = (id: string) => () => change(id, "type = 'link', url = '/privacy'");

  const letProvider = (fault: 'down' | 'gives no url') => () => {
    provider.fail(fault);
    return () => provider.fail('none');
  };

  async function loseNetwork(_id: string, page: Page) {
    await page.context().setOffline(true);
    return () => page.context().setOffline(false);
  }

  const NO_LINK = 'This paywall link does not exist.';
  const GENERIC = 'An error occurred while unlocking.';

  // biome-ignore format: a table
  const ROWS: Row[] = [
    { when: 'the id was never given out', says: NO_LINK, of: () => '00000000', logs: UNKNOWN },
    { when: 'the id is none', says: NO_LINK, of: () => 'not%20an%20id', logs: UNKNOWN },
    { when: 'the id is markup', says: NO_LINK, of: () => '<i>%00', logs: UNKNOWN },
    { when: 'the link was deleted', says: NO_LINK, of: deleteAtOnce, logs: UNKNOWN },
    { when: 'the link is deleted meanwhile', says: NO_LINK, of: sell, spoil: (id) => deleteLink(seller, id), logs: UNKNOWN },
    { when: 'there is no checkout endpoint', says: 'REST API endpoint not configured.', of: sellWithoutCheckout, logs: /503 \/prod\/checkout/, needs: 'no endpoint' },
    { when: 'the checkout has no address', says: 'Stripe URL not returned.', of: sell, spoil: letProvider('gives no url'), leadsTo: CHECKOUT, logs: NOT_BEGUN },
    { when: 'a file has no key', says: 'Invalid paywall data.', of: () => giveAway("type = 'file', key = NULL"), spoil: mend, leadsTo: '/privacy', logs: UNDELIVERABLE },
    { when: 'a web address has no url', says: 'Invalid paywall data.', of: () => giveAway("type = 'link', url = NULL"), spoil: mend, leadsTo: '/privacy', logs: UNDELIVERABLE },
    { when: 'nobody knows the type', says: 'Invalid paywall data.', of: () => giveAway("type = 'video'"), spoil: mend, leadsTo: '/privacy', logs: UNDELIVERABLE },
    { when: 'the checkout answers with an error', says: GENERIC, of: sell, spoil: letProvider('down'), leadsTo: CHECKOUT, logs: NOT_BEGUN },
    { when: 'the data cannot be read', says: GENERIC, of: sell, spoil: () => takeTableAway(app, 'link'), leadsTo: CHECKOUT, logs: FAILED },
    { when: 'a request throws', says: GENERIC, of: sell, spoil: loseNetwork, leadsTo: CHECKOUT, logs: UNREACHABLE, needs: 'script' },
  ];

  async function press(row: Row, javaScript: boolean): Promise<void> {
    const { says, of, spoil, leadsTo, logs, needs } = row;
    const shop = needs === 'no endpoint' ? closed : app;
    const page = await openPage(shop, { javaScript, ...(logs && { expectedErrors: logs }) });
    const id = await of();
    await page.goto(`/p/${id}`);
    if (javaScript) await waitUntilAlive(page);
    const right = await spoil?.(id, page);
    const button = page.getByRole('button', { name: 'Unlock Now', exact: true });
    expect(await button.isEnabled()).toBe(true);
    // Some pages say it before as well.
    const isAsked = javaScript
      ? page.waitForRequest((request) => request.postData()?.includes('UnlockLink') === true)
      : page.waitForURL(/\/prod\/checkout$|\/content$/);
    await button.click();
    await isAsked;
    await expectUnlockError(page, says);
    if (!leadsTo) return;
    await (right as () => unknown)();
    await button.click();
    await page.waitForURL(leadsTo);
  }

  test.each(ROWS)('with JavaScript says in red below it, if $when: $says', (row) =>
    press(row, true),
  );

  test.each(ROWS.filter(({ needs }) => needs !== 'script'))(
    'without JavaScript says in red below it, if $when: $says',
    (row) => press(row, false),
  );
});

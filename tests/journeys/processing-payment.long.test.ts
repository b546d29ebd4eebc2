import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  graphql,
  publishableKey,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from './steps.ts';

const UNDER_WAY = 'Your payment is being processed; we will e-mail you.';

describe('the success page of a payment that takes its time', () => {
  const app = useApp();
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  /** Pays with a card whose payment is decided later, and looks at the success page meanwhile. */
  async function openWhileProcessing(buyer: Person, id: string, card: string): Promise<Page> {
    const goOn = stopClock();
    const paid = await payAt(buyer, await checkOut(buyer, id), card);
    const page = await openPage(app, { as: buyer });
    await page.clock.install();
    await page.goto(paid.headers.get('location') ?? '');
    await page.getByText(UNDER_WAY).waitFor();
    await waitUntilAlive(page);
    goOn();
    return page;
  }

  async function readState(buyer: Person, page: Page): Promise<string | undefined> {
    const sessionId = new URL(page.url()).searchParams.get('session_id');
    const query = 'query ($sessionId: ID!) { getCheckout(sessionId: $sessionId) { state } }';
    const key = await publishableKey(buyer);
    const answer = await graphql<{ getCheckout: { state: string } | null }>(
      buyer,
      query,
      { sessionId },
      key,
    );
    return answer.getCheckout?.state;
  }

  test('shows by itself when it has settled', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const page = await openWhileProcessing(buyer, id, CARDS.settlesLater);
    await waitUntilUnlocked(buyer, id);
    await page.clock.fastForward(11_000);
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    expect(await page.getByText(UNDER_WAY).count()).toBe(0);
  });

  test('shows by itself when it has failed', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    const page = await openWhileProcessing(buyer, id, CARDS.failsLater);
    await eventually(async () => expect(await readState(buyer, page)).toBe('failed'));
    await page.clock.fastForward(11_000);
    await page.getByRole('heading', { name: 'Payment Failed' }).waitFor();
    expect(await page.title()).toBe('Payment Failed · Padlink');
  });

  test('is loaded again by a browser without JavaScript', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    stopClock();
    const paid = await payAt(buyer, await checkOut(buyer, id), CARDS.settlesLater);
    const page = await openPage(app, { as: buyer, javaScript: false });
    await page.goto(paid.headers.get('location') ?? '');
    await page.getByText(UNDER_WAY).waitFor();
    expect(await page.locator('meta[http-equiv="refresh"]').getAttribute('content')).toBe('10');
  });

  test('that is done starts the download in a browser without JavaScript', async () => {
    const { id } = await sellFile(seller, { name: 'notes.pdf' });
    const buyer = createPerson(app);
    const success = await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const page = await openPage(app, { as: buyer, javaScript: false });
    const downloading = page.waitForEvent('download');
    await page.goto(success);
    expect((await downloading).suggestedFilename()).toBe('notes.pdf');
  });
});

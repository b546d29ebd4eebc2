import { beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp, updateLink } from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { startApp } from '../harness/start-app.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import {
  openLivePage,
  payOnPage,
  unlockOnPage,
  WHILE_AWAY,
  waitForSuccess,
  waitUntilAlive,
} from './steps.ts';

const LOCKED = 'This content is locked behind a paywall. Click the button below to unlock access.';
const UNLOCKED = 'This content is unlocked for you.';

const UNDER_WAY = 'Your payment is being processed; we will e-mail you.';

describe('an open paywall page', () => {
  const app = useApp();
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  test('unlocks itself when its payment settles in another tab', async () => {
    const { id } = await sellFile(seller);
    const open = await openPage(app);
    await openLivePage(open, `/p/${id}`);
    await open.getByText(LOCKED).waitFor();
    const paying = await open.context().newPage();
    await unlockOnPage(paying, `/p/${id}`);
    await payOnPage(paying);
    await waitForSuccess(paying);
    await open.getByText(UNLOCKED).waitFor();
    await open.locator('article .lock[data-open="true"]').waitFor();
    await open.getByRole('link', { name: 'notes.pdf' }).waitFor();
    const downloading = open.waitForEvent('download');
    await open.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await downloading).suggestedFilename()).toBe('notes.pdf');
  });

  test('unlocks itself although no other tab ever came to the success page', async () => {
    const { id } = await sellFile(seller);
    const open = await openPage(app);
    await openLivePage(open, `/p/${id}`);
    const paying = await open.context().newPage();
    await paying.goto(`/p/${id}`);
    // A button pressed before gives the claim without telling other tabs.
    await waitUntilAlive(paying);
    await paying.getByRole('button', { name: 'Unlock Now' }).click();
    await paying.waitForURL(/\/sandbox\/checkout\//);
    await payAt(createPerson(app), paying.url());
    await open.getByText(UNLOCKED).waitFor();
  });

  test('tells of a payment under way in another tab, and unlocks itself when that has settled', async () => {
    const { id } = await sellFile(seller, { price: 1234 });
    const open = await openPage(app);
    await openLivePage(open, `/p/${id}`);
    const paying = await open.context().newPage();
    await unlockOnPage(paying, `/p/${id}`);
    const goOn = stopClock();
    await payOnPage(paying, CARDS.settlesLater);
    await open.getByText(UNDER_WAY).waitFor();
    await open.getByText('$12.34').waitFor();
    goOn();
    await open.getByText(UNLOCKED).waitFor();
  });

  test('tells of a payment that failed, and offers to try again', async () => {
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id), CARDS.failsLater);
    const open = await openPage(app, { as: buyer });
    await openLivePage(open, `/p/${id}`);
    await open.getByText('Your payment did not go through. Nothing was charged.').waitFor();
    await open.getByRole('button', { name: 'Unlock Now' }).click();
    await open.waitForURL(/\/sandbox\/checkout\//);
  });

  test('stays locked when somebody else pays for the same link', async () => {
    const { id } = await sellFile(seller);
    const open = await openPage(app);
    await openLivePage(open, `/p/${id}`);
    const other = await openPage(app);
    await unlockOnPage(other, `/p/${id}`);
    await payOnPage(other);
    await waitForSuccess(other);
    await updateLink(seller, { id, price: 700 });
    await open.getByText('$7.00').waitFor();
    await open.getByText(LOCKED).waitFor();
  });

  test('shows a new price, and that the creator paused the link', async () => {
    const { id } = await sellFile(seller);
    const open = await openPage(app);
    await openLivePage(open, `/p/${id}`);
    await updateLink(seller, { id, price: 1234 });
    await open.getByText('$12.34').waitFor();
    await updateLink(seller, { id, paused: true });
    await open.getByText('The seller has paused this link.').waitFor();
  });
});

test('a paywall page works without its live connection, and catches up when that is back', async () => {
  const app = await startApp();
  try {
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    const open = await openPage(app, { expectedErrors: WHILE_AWAY });
    await open.clock.install();
    const connection = await openLivePage(open, `/p/${id}`);
    await Promise.all([connection.waitForEvent('close'), app.restart()]);
    await updateLink(seller, { id, price: 700 });
    await open.clock.fastForward(5_000);
    await open.getByText('$7.00').waitFor();
  } finally {
    await app.stop();
  }
});

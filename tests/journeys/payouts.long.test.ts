import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { expectFocus, openLivePage, WHILE_AWAY, waitUntilAlive } from './steps.ts';

const MONEY = '/dashboard/money';
const HOUR_MS = 60 * 60 * 1000;
/** Test bank accounts of the sandbox. */
const GOOD_BANK = '000123456789';
const BAD_BANK = '000111111116';

describe('a creator who wants to be paid', () => {
  let later = 0;
  const app = useApp({ overrides: { now: () => Date.now() + later } });

  test('connects an account, sells, learns of the hold, asks, and sees the money go', async () => {
    const creator = await signUp(app);
    const page = await openPage(app, { as: creator, expectedErrors: WHILE_AWAY });
    await connectOnPage(page, GOOD_BANK);
    await page.getByText('The minimum payout is $25.00. $0.00 is available now.').waitFor();
    await openLivePage(page, MONEY);
    await sell(creator);
    await page.getByText('$94.70 from 1 sale').waitFor();
    await page.getByText(/is pending for 7 days, because a buyer may still be refunded/).waitFor();
    await endHold();
    await openLivePage(page, MONEY);
    await askOnPage(page);
    const row = page.getByRole('region', { name: 'Payouts' }).getByRole('listitem');
    await row.getByText('It is waiting for approval, as every first payout does.').waitFor();
    await row.getByText('To STRIPE TEST BANK ••6789. $94.70 less the cost of $0.25.').waitFor();
    const underWay = page.getByRole('region', { name: 'Balance' }).getByText('Being paid out');
    await underWay.waitFor();
    await approve();
    await row.getByText('Paid', { exact: true }).waitFor();
    await underWay.waitFor({ state: 'detached' });
    await page.getByText('The minimum payout is $25.00. $0.00 is available now.').waitFor();
  });

  test('takes one back; has one come back that the bank refuses', async () => {
    const creator = await signUp(app);
    const page = await openPage(app, { as: creator });
    await sell(creator);
    await endHold();
    await connectOnPage(page, BAD_BANK);
    await openLivePage(page, MONEY);
    await askOnPage(page);
    const rows = page.getByRole('region', { name: 'Payouts' }).getByRole('listitem');
    await page.getByRole('button', { name: /^Cancel the payout of \$94\.45/ }).click();
    await rows.getByText('Back in your balance').waitFor();
    await askOnPage(page);
    await approve();
    await rows.getByText('Failed', { exact: true }).waitFor();
    await page.getByText('You requested a payout').waitFor({ state: 'detached' });
    await rows.getByText(/It is tried again once you have changed the bank account/).waitFor();
    await eventually(async () => {
      // Each hour the job looks whether a day has passed since the last try.
      if (await waitsForItsHour()) later += 25 * HOUR_MS;
      expect(await rows.nth(0).getByText('Back in your balance').count()).toBe(1);
    });
    await page.getByText(/\$94\.45 will arrive at/).waitFor();
    expect(await page.getByRole('button', { name: 'Get paid' }).isEnabled()).toBe(true);
  });

  /** Whether the job that follows the payout has looked, and will again. */
  async function waitsForItsHour(): Promise<boolean> {
    const [job] = await withDatabase(app, (db) =>
      db
        .selectFrom('job')
        .where('kind', '=', 'follow-payout')
        .where('run_at', '>', Date.now() + later)
        .select('id')
        .execute(),
    );
    return job !== undefined;
  }

  async function connectOnPage(page: Page, bank: string): Promise<void> {
    await page.goto(MONEY);
    await waitUntilAlive(page);
    await page.getByLabel('Country of your bank account').selectOption('Germany');
    await page.getByRole('button', { name: 'Continue at the sandbox' }).click();
    await page.getByRole('link', { name: 'Not now' }).click();
    await page.getByText('Before you can be paid, the sandbox still needs:').waitFor();
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Continue at the sandbox' }).click();
    await page.getByRole('radio', { name: bank }).check();
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.waitForURL(`${MONEY}?account=returned`);
    await page.getByText(/^Payouts go to STRIPE TEST BANK/).waitFor();
  }

  async function sell(creator: Person): Promise<void> {
    const { id } = await sellFile(creator, { price: 10_000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  }

  async function endHold(): Promise<void> {
    app.env.HOLD_DAYS = '0';
    await app.restart();
  }

  async function askOnPage(page: Page): Promise<void> {
    await page.getByText('$94.45 will arrive at STRIPE TEST BANK').waitFor();
    await page.getByRole('button', { name: 'Get paid' }).click();
    await page.getByRole('button', { name: 'Request this payout' }).click();
    const said = page.getByText('You requested a payout of $94.45.');
    await said.waitFor();
    await expectFocus(said);
  }

  async function approve(): Promise<void> {
    const { stdout } = await runCli(app.env, 'payouts', 'list', '--waiting');
    const [id = ''] = stdout.trim().split(' ');
    expect(await runCli(app.env, 'payouts', 'approve', id)).toMatchObject({ status: 0 });
  }
});

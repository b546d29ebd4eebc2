import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { readOverview } from '../../server/office/back-office/read-overview.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  askGraphql,
  createLink,
  graphql,
  readMail,
  readUserId,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { giveUpJob, waitForApproval } from '../factories/operator-work.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { openPage } from '../harness/browser.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { stepOverMidnight } from '../harness/step-over-midnight.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { expectFocus, waitUntilAlive } from '../journeys/steps.ts';

type Acts = { listActs: { items: { act: string; reason: string | null; actorEmail: string }[] } };

const ACTS = `query ($kind: String!, $id: String!) {
  listActs(subjectKind: $kind, subjectId: $id) { items { act reason actorEmail } }
}`;

async function actsOn(operator: Person, kind: string, id: string) {
  return (await graphql<Acts>(operator, ACTS, { kind, id })).listActs.items;
}

describeOnSqliteFirst('the back office', (database) => {
  // The day does not end meanwhile.
  const ahead = stepOverMidnight();
  const app = useApp({ database, overrides: { now: () => Date.now() + ahead } });

  test('tells operators how the site stands, and what to do about what is wrong', async () => {
    const operator = await signUpOperator(app);
    const query = `{ getOverview {
      version today { sales net returned } week { sales net } owed owing inTransit
      database databaseBytes freeBytes totalBytes deadJobs faults
    } }`;
    const seller = await signUp(app);
    const { id } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    type Answer = { getOverview: { databaseBytes: number; freeBytes: number; totalBytes: number } };
    const { getOverview: calm } = await graphql<Answer>(operator, query);
    expect(calm).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      today: { sales: 1, net: 920, returned: 0 },
      week: { sales: 1, net: 920 },
      owed: 920,
      owing: 0,
      inTransit: 0,
      database,
      deadJobs: 0,
    });
    expect(calm.databaseBytes).toBeGreaterThan(100_000);
    await withDatabase(app, async (db) => {
      const space = { free: 1, total: 1 };
      const store = { place: 'here', measureSpace: async () => space, probe: async () => {} };
      const readAt = (at: number) => readOverview({ db, store, mode: 'test', now: () => at });
      const at = Date.now() + ahead;
      const { summedAt, owedCents } = await readAt(at);
      expect([summedAt, owedCents]).toEqual([at, 920]);
      await sql`update user_balance set balance_cents = 921`.execute(db);
      expect(await readAt(at + 59_000)).toMatchObject({ summedAt: at, owedCents: 920 });
      expect(await readAt(at + 61_000)).toMatchObject({ summedAt: at + 61_000, owedCents: 921 });
      await sql`update user_balance set balance_cents = 920`.execute(db);
    });
    expect(calm.freeBytes).toBeLessThanOrEqual(calm.totalBytes);

    await giveUpJob(app);
    await waitForApproval(app, await readUserId(seller));
    const { getOverview: troubled } = await graphql<Answer>(operator, query);
    expect(troubled).toMatchObject({ deadJobs: 1, inTransit: 3950 });
    expect(troubled).toHaveProperty(
      'faults',
      expect.arrayContaining([expect.stringMatching(/^Some jobs were given up\. Find the cause/)]),
    );
  });

  test('finds purchases by address and order number, and what is done for them is on record', async () => {
    const operator = await signUpOperator(app);
    const seller = await signUp(app);
    const { id: linkId } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, linkId);
    await waitUntilUnlocked(buyer, linkId);
    const query = `query ($search: String!) { findPurchases(search: $search) {
      items { id linkId sellerEmail } story { words } sale { refundable }
    } }`;
    type Found = {
      findPurchases: { items: { id: string; linkId: string }[]; story: { words: string }[] };
    };
    const find = async (search: string) =>
      (await graphql<Found>(operator, query, { search })).findPurchases;
    const { items } = await find(` ${BUYER_EMAIL.toUpperCase()}`);
    const id = items.find((item) => item.linkId === linkId)?.id ?? '';
    expect((await find('nobody@example.com')).items).toEqual([]);

    const refund = `mutation ($id: ID!, $asOperator: Boolean) {
      refundSale(purchaseId: $id, amount: 300, reason: "Late", asOperator: $asOperator) { state }
    }`;
    const asSeller = await askGraphql(operator, refund, { id });
    expect(asSeller.errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
    const pretended = await askGraphql(seller, refund, { id, asOperator: true });
    expect(pretended.errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
    await graphql(operator, refund, { id, asOperator: true });
    const resend = 'mutation ($id: ID!) { resendReceiptOfPurchase(id: $id) }';
    await graphql(operator, resend, { id });
    expect(await actsOn(operator, 'purchase', id)).toMatchObject([
      { act: 'receipt.resent', actorEmail: operator.email },
      { act: 'refund.made', reason: 'Late' },
    ]);
    const found = await find(id);
    expect(found).toMatchObject({ items: [{ linkId, sellerEmail: seller.email }] });
    expect(found.story.map(({ words }) => words)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^The checkout started/),
        '$10.00 was paid; the fee is $0.80.',
        'The operator refunded $3.00. “Late”',
      ]),
    );
  });

  test('retries and drops jobs and decides on payouts, each with a record of who did it', async () => {
    const operator = await signUpOperator(app);
    const act = (field: string, id: string, reason = '') =>
      askGraphql(operator, `mutation ($id: ID!) { ${field}(id: $id${reason}) }`, { id });
    const job = await giveUpJob(app);
    await act('retryJob', job);
    expect(await actsOn(operator, 'job', job)).toEqual([
      { act: 'job.retried', reason: null, actorEmail: operator.email },
    ]);
    const another = await giveUpJob(app);
    await act('dropJob', another);
    const again = await act('dropJob', another);
    expect(again.errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
    expect(await actsOn(operator, 'job', another)).toMatchObject([{ act: 'job.dropped' }]);

    const seller = await readUserId(await signUp(app));
    const [good, bad] = [await waitForApproval(app, seller), await waitForApproval(app, seller)];
    await act('approvePayout', good);
    expect(await actsOn(operator, 'payout', good)).toMatchObject([{ act: 'payout.approved' }]);
    const unexplained = await act('refusePayout', bad, ', reason: " "');
    expect(unexplained.errors?.[0]).toMatchObject({ extensions: { code: 'INVALID_INPUT' } });
    const twice = await act('approvePayout', good);
    expect(twice.errors?.[0]).toMatchObject({ extensions: { code: 'PAYOUT_REFUSED' } });
    expect(await actsOn(operator, 'payout', good)).toHaveLength(1);
  });
});

const PAGES = [
  '',
  '/links',
  '/reports',
  '/sellers',
  '/purchases',
  '/setup',
  '/undelivered',
  '/acts',
].map((page) => `/operator${page}`);

describe('the operator’s pages', () => {
  const app = useApp();

  test('do not exist for anybody else', async () => {
    const seller = await signUp(app);
    for (const person of [createPerson(app), seller]) {
      for (const path of PAGES) {
        const answer = await person.fetch(path, { headers: { accept: 'text/html' } });
        expect(answer.status).toBe(404);
        expect(await answer.text()).toContain('Page not found');
      }
    }
    expect(await (await seller.fetch('/account')).text()).not.toContain('/operator');
  });

  test('lead an operator from the account to what waits, by keyboard, and say what was done', {
    tags: 'long',
  }, async () => {
    const operator = await signUpOperator(app);
    const seller = await signUp(app);
    await waitForApproval(app, await readUserId(seller));
    await giveUpJob(app, 'Error: mailbox full');
    const page = await openPage(app, { as: operator });
    await page.goto('/account');
    await page.getByRole('main').getByRole('link', { name: 'Operator' }).click();
    await page.getByRole('heading', { name: 'Operator', level: 1 }).waitFor();
    await waitUntilAlive(page);
    await page.getByText('Some jobs were given up.').waitFor();

    await page.getByRole('button', { name: /^Approve the payout of \$39\.50/ }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter');
    const status = page.getByRole('status').filter({ hasText: 'was approved.' });
    await status.waitFor();
    await expectFocus(status);
    await page.getByText('No payouts to approve.').waitFor();

    await page.getByText('Error: mailbox full').waitFor();
    await page.getByRole('button', { name: /^Drop the job/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click();
    await page.getByText('No failed jobs.').waitFor();

    const { id } = await sellFile(seller, { name: 'Notes.pdf', price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await page.getByRole('main').getByRole('link', { name: 'Purchases' }).click();
    await page.getByLabel('Email address or order number').fill(BUYER_EMAIL.toUpperCase());
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('$10.00 was paid; the fee is $0.80.').waitFor();
    await waitUntilAlive(page);
    await page.getByRole('button', { name: /^Refund: / }).click();
    await page.getByLabel('Amount (USD)').fill('4');
    await page.getByLabel('Reason').fill('They bought it twice');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The seller’s balance will be').waitFor();
    await page.getByRole('button', { name: 'Refund $4.00' }).click();
    await page.getByText('The operator refunded $4.00. “They bought it twice”').waitFor();

    await runSql(app, `UPDATE purchase SET undelivered_at = 1 WHERE link_id = '${id}'`);
    await page.getByRole('link', { name: 'Undelivered' }).click();
    await waitUntilAlive(page);
    await page.getByText(`, ${BUYER_EMAIL}`).waitFor();
    await page.getByRole('button', { name: /^Send the receipt again/ }).click();
    await page.getByText(`The receipt is on its way to ${BUYER_EMAIL}.`).waitFor();

    await page.goto('/operator/acts');
    const acts = page.getByRole('main').getByRole('listitem');
    expect(await acts.filter({ hasText: operator.email }).allTextContents()).toEqual([
      expect.stringContaining('receipt.resent'),
      expect.stringContaining('refund.made'),
      expect.stringContaining('job.dropped'),
      expect.stringContaining('payout.approved'),
    ]);
  });

  test('lead from a link to its take-down and back, each of which says so', {
    tags: 'long',
  }, async () => {
    const operator = await signUpOperator(app);
    const seller = await signUp(app);
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://a.example/',
      title: 'A walk in the park',
    });
    const page = await openPage(app, { as: operator });
    await page.goto('/operator');
    await page.getByRole('link', { name: 'Links' }).click();
    await page.getByLabel(/^Title, ID/).fill('walk park');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await waitUntilAlive(page);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Take down: A walk in the park' }).press('Enter');
    await dialog.getByLabel('Reason').selectOption('Fraud, or not as described');
    await dialog.getByLabel('What is wrong with it?').fill('There is no park.');
    await dialog.getByLabel('Days to refund').fill('30');
    await dialog.getByRole('button', { name: 'Take down' }).press('Enter');
    const status = page.getByRole('status').filter({ hasText: 'was taken down.' });
    await status.waitFor();
    await expectFocus(status);
    expect((await seller.fetch(`/p/${id}`)).status).toBe(404);

    await page.getByRole('link', { name: 'Taken down' }).click();
    await page.getByText('Fraud, or not as described. There is no park.').waitFor();
    await waitUntilAlive(page);
    await page.getByRole('button', { name: 'Restore: A walk in the park' }).click();
    await dialog.getByLabel('Why?').fill('There is one.');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('A walk in the park was restored.').waitFor();
    expect((await seller.fetch(`/p/${id}`)).status).toBe(200);
    expect(await actsOn(operator, 'link', id)).toMatchObject([
      { act: 'link.restored', reason: 'There is one.', actorEmail: operator.email },
      { act: 'link.taken-down', reason: 'There is no park.', actorEmail: operator.email },
    ]);
  });

  test('put what is reported and objected before an operator, who decides each once', {
    tags: 'long',
  }, async () => {
    const operator = await signUpOperator(app);
    const seller = await signUp(app);
    const report = async (title: string, words: string) => {
      const link = await createLink(seller, { type: 'link', url: 'https://a.example/', title });
      const body = new URLSearchParams({ reason: 'malware', words });
      await createPerson(app).fetch(`/p/${link.id}/report`, { method: 'POST', body });
      return link.id;
    };
    await report('A harmless link', 'It is not harmless.');
    const id = await report('A harmful link', 'It is harmful.');
    const page = await openPage(app, { as: operator });
    await page.goto('/operator/reports');
    await waitUntilAlive(page);
    const dialog = page.getByRole('dialog');
    await page.getByText('“It is not harmless.”').waitFor();
    await page.getByRole('button', { name: 'Dismiss the report about A harmless link' }).click();
    await dialog.getByLabel('Why?').fill('It is.');
    await dialog.getByRole('button', { name: 'Dismiss' }).press('Enter');
    const status = page.getByRole('status').filter({ hasText: 'was dismissed.' });
    await status.waitFor();
    await expectFocus(status);
    await page.getByRole('button', { name: 'Take down: A harmful link' }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('malware');
    await dialog.getByLabel('What is wrong with it?').fill('It harms.');
    await dialog.getByRole('button', { name: 'Take down' }).click();
    await page.getByText('No reports to review.').waitFor();

    const object = 'mutation ($id: ID!) { objectToTakeDown(id: $id, words: "It does not.") }';
    await graphql(seller, object, { id });
    await page.reload();
    await waitUntilAlive(page);
    await page.getByText('“It does not.”').waitFor();
    await page.getByRole('button', { name: 'Keep down: A harmful link' }).click();
    await dialog.getByLabel('Your answer').fill('It does.');
    await dialog.getByRole('button', { name: 'Keep down' }).click();
    await page.getByText('No objections.').waitFor();
    expect(await actsOn(operator, 'link', id)).toMatchObject([
      { act: 'objection.answered', reason: 'It does.', actorEmail: operator.email },
      { act: 'link.taken-down', reason: 'It harms.', actorEmail: operator.email },
    ]);
  });

  test('let an operator limit, suspend, invite and remove, each with a word of what was done', {
    tags: 'long',
  }, async () => {
    const operator = await signUpOperator(app);
    const colleague = await signUpOperator(app);
    const { email } = await signUp(app);
    const page = await openPage(app, { as: operator });
    const dialog = page.getByRole('dialog');
    const told = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();
    await page.goto('/operator/sellers');
    await page.getByLabel('Email starts with').fill(email.slice(0, -4));
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await waitUntilAlive(page);
    await page.getByRole('button', { name: `Quotas of ${email}` }).press('Enter');
    await dialog.getByLabel('Space for files (MB)').fill('1.5');
    await dialog.getByLabel('Uploads a day').fill('3');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await told(`The quotas of ${email} were changed.`);
    await page.getByText('At most 1.5 MB, 3 uploads a day').waitFor();

    await page.getByRole('button', { name: `Suspend ${email}` }).click();
    await dialog.getByLabel('Reason').fill('You sold what is not yours.');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await told(`${email} was suspended.`);
    await page.getByText('Suspended: You sold what is not yours.').waitFor();
    await page.getByRole('button', { name: `Restore ${email}` }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await told(`${email} was restored.`);

    await page.getByLabel('Email address to invite').fill('new@example.com');
    await page.getByLabel('To', { exact: true }).selectOption('Help run the site');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await told('The invitation is on its way.');
    await readMail(app, 'new@example.com', /help run/);
    await page.getByRole('button', { name: 'Withdraw the invitation to new@example.com' }).click();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('No open invitations.').waitFor();

    await page.goto(`/operator/sellers?show=operators`);
    await waitUntilAlive(page);
    expect(await page.getByText(email).count()).toBe(0);
    const own = page.getByRole('listitem').filter({ hasText: operator.email });
    expect(await own.getByRole('button').allTextContents()).toEqual(['Quotas']);
    await page.getByRole('button', { name: `Remove the operator ${colleague.email}` }).click();
    await dialog.getByLabel('Reason').fill('Has another job.');
    await dialog.getByRole('button', { name: 'Remove operator' }).click();
    await told(`${colleague.email} is no longer an operator.`);
    expect((await colleague.fetch('/operator')).status).toBe(404);
  });
});

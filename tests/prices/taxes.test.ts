import { beforeAll, expect, test } from 'vitest';
import { graphql, readMail, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { expectBooks, readWholeBalance, sellDisputed, sellOnce } from '../factories/money.ts';
import { BUYER_EMAIL, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf, webhookEnv } from '../harness/webhook.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describeOnSqliteFirst('where taxes are added at the checkout', (database) => {
  const env = { ...webhookEnv(sandboxPort), TAX: 'stripe', OPERATOR_NAME: 'Lantern Books Ltd' };
  const app = useApp({ database, env });
  let seller: Person;
  beforeAll(async () => {
    seller = await signUp(app);
  });

  test('the buyer pays the price and the tax, and the receipt says both', async () => {
    const { id } = await sellFile(seller, { price: 499 });
    const buyer = createPerson(app);
    const url = await checkOut(buyer, id);
    const page = await (await buyer.fetch(url)).text();
    for (const part of ['$4.99', 'Tax (20%)', '$1.00', '$5.99']) expect(page).toContain(part);
    expect((await payAt(buyer, url)).status).toBe(303);
    await waitUntilUnlocked(buyer, id);
    await expectBooks(app, id, {
      provider: -552,
      platform_fee: 55,
      creator: 444,
      tax_payable: 100,
      processing_cost: -47,
    });
    const { text } = await readMail(app, BUYER_EMAIL);
    expect(text).toContain(': $4.99, paid on ');
    expect(text).toContain('Tax: $1.00. Total: $5.99.');
    expect(text).toMatch(
      /Order number: [0-9a-f-]{36}\nPaid to Lantern Books Ltd\. The payment is passed on to the seller, who sells without a name\./,
    );
    const receipt = await (await buyer.fetch(`/p/${id}/receipt`)).text();
    expect(receipt).toContain('"price": "4.99",\n  "tax": "1.00",\n  "total": "5.99",');
  });

  test('refunds return the tax in proportion, and all of it in the end', async () => {
    const { id, payment } = await sellOnce(seller, sandboxPort, { price: 1000 });
    const before = await readWholeBalance(seller);
    await stripe.refunds.create({ payment_intent: payment, amount: 401 });
    // 67 of the 401 are tax, and of the other 334 the fee is 27.
    await expectBooks(app, id, {
      provider: -734,
      platform_fee: 53,
      creator: 613,
      tax_payable: 133,
      processing_cost: -65,
    });
    const newest = '{ listSales { items { id paid refundable } } }';
    type Sales = { listSales: { items: { id: string; paid: number; refundable: number }[] } };
    const [sale] = (await graphql<Sales>(seller, newest)).listSales.items;
    expect(sale).toMatchObject({ paid: 1200, refundable: 799 });
    const quote =
      'query ($id: ID!) { quoteRefund(purchaseId: $id) { amount creator fee tax whole } }';
    expect(await graphql(seller, quote, { id: sale?.id })).toEqual({
      quoteRefund: { amount: 799, creator: 613, fee: 53, tax: 133, whole: true },
    });
    await graphql(
      seller,
      'mutation ($id: ID!) { refundSale(purchaseId: $id, reason: "Late") { state } }',
      { id: sale?.id },
    );
    await expectBooks(app, id, {
      provider: 65,
      platform_fee: 0,
      creator: 0,
      tax_payable: 0,
      processing_cost: -65,
    });
    expect((await readWholeBalance(seller)).balance).toBe(before.balance - 920);
  });

  test('a dispute takes the tax from whom it is owed to, and the rest from the creator', async () => {
    const { id, payment } = await sellDisputed(seller, sandboxPort);
    await expectBooks(app, id, {
      provider: 1565,
      platform_fee: 80,
      creator: -80,
      tax_payable: 0,
      processing_cost: -65,
      dispute_fee: -1500,
    });
    await eventually(async () => {
      const [dispute] = (await stripe.disputes.list({ payment_intent: payment })).data;
      expect(dispute).toMatchObject({
        amount: 1200,
        evidence: { product_description: expect.stringContaining('Paid with $12.00 at') },
      });
    });
  });

  test('the provider and the books are the same, and the export knows the account', async () => {
    const reconciled = await runCli(app.env, 'ledger', 'reconcile');
    expect(reconciled.stdout).toMatch(/^Balance .* 0\.00$/m);
    expect(reconciled.status).toBe(0);
    const { stdout } = await runCli(app.env, 'ledger', 'export', '--format', 'hledger');
    expect(stdout).toContain('account liabilities:tax_payable\n');
    expect((await runCli(app.env, 'ledger', 'check')).stdout).toBe('The ledger is in order.\n');
  });
});

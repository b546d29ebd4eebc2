import { beforeEach, expect, test } from 'vitest';
import type { Overrides } from '../../server/app.ts';
import {
  createLink,
  seeLink,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { buyOnce, sellOnce, waitUntilIdle } from '../factories/money.ts';
import { CARDS } from '../factories/payment.ts';
import { createSecretKey, programWith } from '../factories/secret-key.ts';
import { deleteFile, deleteLink, storedKeys } from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import type { Person } from '../harness/person.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const REFUND_FAILS = '4000 0000 0000 5126';

const sandboxPort = await findFreePort();
const env = { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) };

describeOnSqliteFirst('a file that was refunded', (database) => {
  let ahead = 0;
  const overrides: Overrides = { now: () => Date.now() + ahead };
  const app = useApp({ database, env, overrides });
  let seller: Person;

  beforeEach(async () => {
    ahead = 0;
    seller = await signUp(app);
  });

  /** The 60 days begin when the payment was last looked at. */
  const waitUntilReviewed = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));

  /** A file whose only buyer got all money back, and whose link is deleted. */
  async function refund({ card = CARDS.pays, replaced = false } = {}) {
    const { id, buyer, payment } = await sellOnce(seller, sandboxPort, { card });
    const key = String((await seeLink(seller, id))?.key);
    if (replaced) {
      const other = await uploadFile(seller, { name: 'other.pdf', bytes: new Uint8Array(9) });
      await updateLink(seller, { id, key: other.key });
    }
    await stripeOf(sandboxPort).refunds.create({ payment_intent: payment });
    await eventually(async () =>
      expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false }),
    );
    await deleteLink(seller, id);
    await waitUntilReviewed();
    return { id, key, buyer };
  }

  test.each([
    ['', false],
    [' after it was replaced', true],
  ])('is still there for its buyer%s when the refund fails', async (_when, replaced) => {
    const goOn = stopClock();
    const { id, key, buyer } = await refund({ card: REFUND_FAILS, replaced });
    expect(await deleteFile(seller, key)).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
    goOn();
    await waitUntilUnlocked(buyer, id);
    expect((await fetch(await storageUrl(buyer, key))).status).toBe(200);
  });

  test.each([
    ['', false],
    [' after it was replaced', true],
  ])(
    'is deleted by its owner%s no sooner than 60 days after the refund',
    async (_when, replaced) => {
      const { key } = await refund({ replaced });
      ahead = 59 * DAY_MS;
      expect(await deleteFile(seller, key)).toMatchObject({ status: 409, code: 'FILE_IN_USE' });
      ahead = 61 * DAY_MS;
      expect(await deleteFile(seller, key)).toMatchObject({ status: 204 });
    },
  );

  test.each([
    { what: 'a link', inBundle: false, deleted: 0, left: 'unopened' },
    { what: 'a link', inBundle: false, deleted: 1, left: 'delivered' },
    { what: 'a bundle', inBundle: true, deleted: 0, left: 'unopened' },
    { what: 'a bundle', inBundle: true, deleted: 1, left: 'delivered' },
  ])(
    'is no longer part of what was delivered of $what: $left without it',
    async ({ inBundle, deleted, left }) => {
      const uploads = ['sent.txt', 'other.txt'].map(async (name) => {
        const { key } = await uploadFile(seller, { name, bytes: new Uint8Array(1_000) });
        return key;
      });
      const keys = await Promise.all(uploads);
      const [sent = '', other = ''] = keys;
      const { id } = await createLink(seller, { key: sent, files: keys });
      const parts = [id, (await createLink(seller, { type: 'link', url: 'https://x.org/' })).id];
      const sold = inBundle
        ? (await createLink(seller, { type: 'bundle', price: 900, parts })).id
        : id;
      const { buyer, payment } = await buyOnce(seller, sandboxPort, sold);
      const expectDelivery = (delivery: string) =>
        eventually(async () => {
          const table = await (await seller.fetch('/dashboard/sales.csv')).text();
          expect(table.split(',').at(-3)).toBe(delivery);
        });
      await (await fetch(await storageUrl(buyer, sent))).bytes();
      await expectDelivery('50%');
      await stripeOf(sandboxPort).refunds.create({ payment_intent: payment });
      await eventually(async () => expect((await seeLink(buyer, sold))?.unlocked).toBe(false));
      for (const link of new Set([sold, id])) await deleteLink(seller, link);
      await waitUntilReviewed();
      ahead = 61 * DAY_MS;
      expect(await deleteFile(seller, keys[deleted] ?? '')).toMatchObject({ status: 204 });
      await expectDelivery(left);
      expect(await deleteFile(seller, deleted === 0 ? other : sent)).toMatchObject({ status: 204 });
      await expectDelivery('');
    },
  );

  test('is swept away no sooner than 60 days after the refund', async () => {
    const { key } = await refund();
    const unsold = await sellFile(seller);
    await deleteLink(seller, unsold.id);
    // The seller's session is over long before; a key lasts.
    const program = programWith(app, (await createSecretKey(seller)).secret);
    ahead = 59 * DAY_MS;
    overrides.sweepEveryMs = 100;
    await app.restart();
    await eventually(async () => expect(await storedKeys(program)).toEqual([key]));
    ahead = 61 * DAY_MS;
    await app.restart();
    await eventually(async () => expect(await storedKeys(program)).toEqual([]));
  });
});

import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { createLink, seeLink, signUp } from '../factories/factories.ts';
import { waitUntilIdle } from '../factories/money.ts';
import { CHECKOUTS_A_MINUTE, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPersonAt, type Person, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { letHappen, stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

/** Buyers on each database: PADLINK_BUNDLE_SEQUENCES=50 takes some minutes. */
const SEQUENCES = Number(process.env.PADLINK_BUNDLE_SEQUENCES ?? 3);
const seed = Number(process.env.PADLINK_BUNDLE_SEED ?? randomInt(2 ** 31));
const LONGEST_MS = 60_000 + SEQUENCES * 20_000;

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

/** Two bundles that share a part. */
const BUNDLES: Record<string, string[]> = { ab: ['a', 'b'], bc: ['b', 'c'] };
const NAMES = ['a', 'b', 'c', 'ab', 'bc'];

const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('buy'), which: fc.nat(4) }) },
  fc.record({ does: fc.constantFrom('refund', 'dispute', 'win', 'lose'), which: fc.nat(9) }),
);
const anySteps = fc.array(anyStep, { minLength: 5, maxLength: 9 });

interface Bought {
  name: string;
  payment: string;
  state: 'standing' | 'disputed' | 'over';
}

describeOnSqliteFirst('the rights of a buyer of bundles', (database) => {
  const app = useApp({
    database,
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort), TRUSTED_PROXIES: '127.0.0.1' },
  });
  const ids: Record<string, string> = {};
  let buyers = 0;
  let asked = 0;

  beforeAll(async () => {
    console.log(`PADLINK_BUNDLE_SEED=${seed} repeats these purchases.`);
    const seller = await signUp(app);
    for (const name of ['a', 'b', 'c']) {
      const content = { type: 'link', url: `https://example.com/${name}` };
      ids[name] = (await createLink(seller, { ...content, price: 500 })).id;
    }
    for (const [name, parts] of Object.entries(BUNDLES)) {
      const content = { type: 'bundle', parts: parts.map((part) => ids[part]) };
      ids[name] = (await createLink(seller, { ...content, price: 800 })).id;
    }
  });

  test(
    'are to just what a standing purchase covers, whatever is bought and comes back',
    async () => {
      let bought = 0;
      const property = fc.asyncProperty(anySteps, async (steps) => {
        buyers += 1;
        asked = 0;
        const buyer = createPersonAt(app, `198.51.100.${buyers % 250}`);
        const purchases: Bought[] = [];
        for (const step of steps) {
          await take(buyer, purchases, step);
          await expectRights(buyer, purchases);
        }
        bought += purchases.length;
        await withDatabase(app, async (db) => {
          await waitUntilIdle(db, sandboxPort);
          expect(await checkLedger(db)).toEqual([]);
        });
      });
      await fc.assert(property, { numRuns: SEQUENCES, seed, interruptAfterTimeLimit: LONGEST_MS });
      expect(bought).toBeGreaterThan(0);
    },
    LONGEST_MS + 30_000,
  );

  /** What may be opened by these purchases. */
  function coveredBy(purchases: Bought[]): Set<string> {
    const standing = purchases.filter(({ state }) => state === 'standing');
    return new Set(standing.flatMap(({ name }) => [name, ...(BUNDLES[name] ?? [])]));
  }

  async function take(
    buyer: Person,
    purchases: Bought[],
    { does, which }: { does: string; which: number },
  ): Promise<void> {
    if (does === 'buy') return buy(buyer, purchases, NAMES[which] ?? 'a');
    const wanted = does === 'win' || does === 'lose' ? 'disputed' : 'standing';
    const among = purchases.filter(({ state }) => state === wanted);
    const purchase = among[which % among.length];
    if (!purchase) return;
    const { payment } = purchase;
    if (does === 'refund') {
      await stripe.refunds.create({ payment_intent: payment });
      purchase.state = 'over';
    } else if (does === 'dispute') {
      // A bank contests a payment once.
      const { data } = await stripe.disputes.list({ payment_intent: payment });
      if (data.length > 0) return;
      await letHappen(sandboxPort, 'disputes', { payment_intent: payment });
      purchase.state = 'disputed';
    } else {
      const { data } = await stripe.disputes.list({ payment_intent: payment });
      const evidence = { uncategorized_text: `${does === 'win' ? 'winning' : 'losing'}_evidence` };
      await stripe.disputes.update(data[0]?.id ?? '', { evidence, submit: true });
      purchase.state = does === 'win' ? 'standing' : 'over';
    }
  }

  /** Refused where they have it all, or what they have of it is on hold. */
  async function buy(buyer: Person, purchases: Bought[], name: string): Promise<void> {
    const covered = coveredBy(purchases);
    const hasAll = covered.has(name) || BUNDLES[name]?.every((part) => covered.has(part)) === true;
    const disputed = purchases.filter(({ state }) => state === 'disputed');
    const isHeld = disputed.some((one) => [one.name, ...(BUNDLES[one.name] ?? [])].includes(name));
    if (asked === CHECKOUTS_A_MINUTE) return;
    asked += 1;
    const answer = await postJson(buyer, '/prod/checkout', { paywallId: ids[name] });
    const { url } = (await answer.json()) as { url?: string };
    const isOffered = url?.includes('/sandbox/checkout/') === true;
    expect(isOffered).toBe(!hasAll && !isHeld);
    if (!isOffered || !url) return;
    await payAt(buyer, url);
    const session = new URL(url).pathname.split('/').at(-1) ?? '';
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    purchases.push({ name, payment: String(payment_intent), state: 'standing' });
  }

  async function expectRights(buyer: Person, purchases: Bought[]): Promise<void> {
    const covered = coveredBy(purchases);
    await eventually(async () => {
      const open = await Promise.all(
        NAMES.map(async (name) => (await seeLink(buyer, ids[name] ?? ''))?.unlocked),
      );
      expect(Object.fromEntries(NAMES.map((name, index) => [name, open[index]]))).toEqual(
        Object.fromEntries(NAMES.map((name) => [name, covered.has(name)])),
      );
    });
  }
});

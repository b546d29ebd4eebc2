import type Stripe from 'stripe';
import { expect } from 'vitest';
import type { Database } from '../../server/ground/database/tables.ts';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import { findWrongPayouts } from '../../server/money/payouts/check-payouts.ts';
import { UNDER_WAY } from '../../server/money/payouts/tables.ts';
import { askGraphql, graphql, signIn } from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import { runCli } from '../harness/run-command.ts';
import type { SpawnedApp } from '../harness/spawn-app.ts';
import type { Creator } from './shop.ts';

/** Has a creator paid to a bank account; each later payout is approved with this first one. */
export async function beginPayouts(
  app: SpawnedApp,
  creator: Creator,
  bankAccount: string,
): Promise<void> {
  const begin = 'mutation { beginPayoutOnboarding(country: "US") }';
  const { beginPayoutOnboarding } = await graphql<{ beginPayoutOnboarding: string }>(
    creator,
    begin,
  );
  const body = new URLSearchParams({ bankAccount });
  await creator.fetch(beginPayoutOnboarding, { method: 'POST', body });
  const id = await eventually(() => askForPayout(creator));
  expect(await runCli(app.env, 'payouts', 'approve', id)).toMatchObject({ status: 0 });
}

/** Asks for all that is available. @throws where that is refused */
export async function askForPayout(creator: Creator): Promise<string> {
  const { data, errors = [] } = await askGraphql<{ requestPayout: { id: string } | null }>(
    creator,
    'mutation { requestPayout { id } }',
  );
  // The loop lasts longer than a sign-in is fresh.
  if (errors.some(({ extensions }) => extensions?.code === 'SESSION_NOT_FRESH')) {
    await signIn(creator, creator.email);
    return askForPayout(creator);
  }
  if (!data?.requestPayout) throw new Error(JSON.stringify(errors));
  return data.requestPayout.id;
}

/** Lets payouts that wait for an hour or a day go on now. */
export async function skipWaits(db: Database): Promise<void> {
  await db.updateTable('payout').set({ try_at: 0 }).where('state', '=', 'failed').execute();
  const waiting = await db
    .selectFrom('payout')
    .where('state', 'in', ['requested', 'failed'])
    .select('id')
    .execute();
  for (const { id } of waiting) {
    await enqueue(db, 'follow-payout', { payoutId: id, once: true }, Date.now());
  }
}

/** Each payout was paid, or booked back, once, at the provider as in the books. @returns how many */
export async function expectPaidOrBookedBack(stripe: Stripe, db: Database) {
  const payouts = await db.selectFrom('payout').selectAll().execute();
  const counts = { paid: 0, reversed: 0 };
  for (const { id, state, account_id: stripeAccount, amount_cents, cost_cents } of payouts) {
    const { data: transfers } = await stripe.transfers.list({ transfer_group: id });
    const arrived: number[] = [];
    for await (const sent of stripe.payouts.list({ limit: 100 }, { stripeAccount })) {
      if (sent.metadata?.payout_id === id && sent.status !== 'failed') arrived.push(sent.amount);
    }
    const amount = amount_cents - cost_cents;
    if (state === 'paid') {
      expect(transfers).toMatchObject([{ amount, amount_reversed: 0 }]);
      expect(arrived).toEqual([amount]);
      counts.paid += 1;
    } else {
      expect(state).toBe('reversed');
      expect(transfers.filter(({ reversed }) => !reversed)).toEqual([]);
      expect(arrived).toEqual([]);
      counts.reversed += 1;
    }
  }
  expect(await findWrongPayouts(db)).toEqual([]);
  return counts;
}

/** How far the payouts under way had come, in words. */
export async function readStages(db: Database): Promise<string[]> {
  const payouts = await db
    .selectFrom('payout')
    .where('state', 'in', UNDER_WAY)
    .selectAll()
    .execute();
  return payouts.map(({ state, asked_at, transfer_id, returning_because }) => {
    if (returning_because !== null) return 'to be booked back';
    if (state === 'sent') return 'sent to the bank';
    if (state === 'failed') return 'failed at the bank';
    if (transfer_id !== null) return 'transferred';
    return asked_at === null ? 'requested' : 'transfer asked for';
  });
}

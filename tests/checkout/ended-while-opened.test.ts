import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { sellFile, signUp } from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

/** For so long a change is not committed: whoever does not wait for it would be through. */
const HELD_MS = 300;

const provider = await startProviderProxy();
afterAll(provider.stop);

describeOnBothDatabases('a checkout that ends while its session is opened', (database) => {
  const app = useApp({ database, env: provider.env, overrides: provider.overrides });

  /** Gives the purchase another state in the moment in which the provider has opened its session. */
  function interfere(linkId: string, state: 'expired' | 'failed'): Promise<string> {
    const opened = Promise.withResolvers<string>();
    provider.answerWith(async (answer, path) => {
      if (path !== '/v1/checkout/sessions') return answer;
      provider.answerWith();
      const written = Promise.withResolvers<void>();
      void withDatabase(app, (db) =>
        db.transaction().execute(async (trx) => {
          await trx.updateTable('purchase').set({ state }).where('link_id', '=', linkId).execute();
          written.resolve();
          await sleep(HELD_MS);
        }),
      ).catch(opened.reject);
      await written.promise;
      opened.resolve((answer as { id: string }).id);
      return answer;
    });
    return opened.promise;
  }

  test.each(['expired', 'failed'] as const)('as %s is offered to nobody', async (state) => {
    const { id } = await sellFile(await signUp(app));
    const opened = interfere(id, state);
    const answer = await postJson(createPerson(app), '/prod/checkout', { paywallId: id });
    expect(answer.status).toBe(502);
    await withDatabase(app, async (db) => {
      expect(await db.selectFrom('payment').selectAll().execute()).toEqual([]);
    });
    const stripe = stripeOf(Number(provider.env.SANDBOX_PORT));
    await eventually(async () => {
      const { status } = await stripe.checkout.sessions.retrieve(await opened);
      expect(status).toBe('expired');
    });
  });
});

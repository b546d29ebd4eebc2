import { graphql, signUp } from '../factories/factories.ts';
import type { Person } from '../harness/person.ts';
import type { App } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { fillEvent } from './fill-event.ts';

type Place = Pick<App, 'origin' | 'env'>;

export interface HooksScene {
  /** Has a webhook in each state. */
  owner: Person;
  /** The page of one that fails. */
  path: string;
}

export async function openHooksScene(shop: Place): Promise<HooksScene> {
  const owner = await signUp(shop, { firstName: 'Mary' });
  const ids: string[] = [];
  for (const name of ['accounting', 'newsletter', 'members/an-address-that-is-rather-long']) {
    const { createWebhook } = await graphql<{ createWebhook: { webhook: { id: string } } }>(
      owner,
      'mutation ($url: String!) { createWebhook(url: $url) { webhook { id } } }',
      { url: `https://hooks.shop.example/${name}` },
    );
    ids.push(createWebhook.webhook.id);
  }
  const [on = '', paused = '', ended = ''] = ids;
  const at = Date.UTC(2026, 10, 21, 9, 30);
  await withDatabase(shop, async (db) => {
    await db
      .updateTable('hook')
      .set({ failing_since: at, earlier_until: Date.UTC(2099, 0, 1) })
      .where('id', '=', on)
      .execute();
    await db.updateTable('hook').set({ state: 'paused' }).where('id', '=', paused).execute();
    await db.updateTable('hook').set({ state: 'ended' }).where('id', '=', ended).execute();
    await fillEvent(db, on, at - 60_000);
    await fillEvent(db, on, at, { status: 500, answer: 'Internal Server Error' });
    const answer = 'There was no answer within 10 seconds.';
    await fillEvent(db, on, at + 60_000, { status: null, answer });
  });
  return { owner, path: `/account/webhooks?webhook=${on}` };
}

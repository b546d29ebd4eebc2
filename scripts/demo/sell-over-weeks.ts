import { payFor } from '../../tests/factories/payment.ts';
import { eventually } from '../../tests/harness/eventually.ts';
import { createPerson } from '../../tests/harness/person.ts';
import { stripeOf } from '../../tests/harness/webhook.ts';
import { withDatabase } from '../../tests/harness/with-database.ts';
import type { Shop } from './open-shop.ts';
import type { PastClock } from './past-clock.ts';

/** Sales of each day up to today. */
export const DAYS_OF_SALES = [
  0, 1, 0, 2, 1, 0, 0, 1, 2, 1, 3, 1, 0, 1, 2, 2, 1, 4, 2, 1, 1, 3, 2, 4, 2, 1, 3, 2,
];
const VISITS_FOR_A_SALE = 4;

interface Demo {
  origin: string;
  env: { DATA_DIR: string; SANDBOX_PORT: string };
}

/** Visits and sales of the first creator's links over four weeks: something for a dashboard to tell. */
export async function sellOverWeeks(app: Demo, { linkIds }: Shop, clock: PastClock): Promise<void> {
  for (const [day, sales] of DAYS_OF_SALES.entries()) {
    await waitUntilQuiet(app);
    clock.goTo(DAYS_OF_SALES.length - 1 - day);
    for (let sale = 0; sale < sales; sale++) {
      const linkId = linkIds[(day + sale) % 2] ?? '';
      for (let visit = 0; visit < VISITS_FOR_A_SALE; visit++) {
        const headers = { 'user-agent': `Visitor ${day}.${sale}.${visit}` };
        await createPerson(app).fetch(`/p/${linkId}/view.gif`, { headers });
      }
      const buyer = createPerson(app);
      // The success page settles the sale; a webhook might come to it after the day is over.
      await buyer.fetch(await payFor(buyer, linkId));
    }
  }
}

/** Until nothing is under way: a webhook that arrives on the next day would be refused as too old. */
async function waitUntilQuiet(app: Demo): Promise<void> {
  const { events } = stripeOf(Number(app.env.SANDBOX_PORT));
  await eventually(async () => {
    const { data } = await events.list({ limit: 100 });
    if (data.some(({ pending_webhooks }) => pending_webhooks > 0))
      throw new Error('Not delivered.');
  });
  await withDatabase(app, (db) =>
    eventually(async () => {
      const due = db
        .selectFrom('job')
        .where('died_at', 'is', null)
        .where('run_at', '<=', Date.now());
      if (await due.select('id').limit(1).executeTakeFirst()) throw new Error('Not done.');
    }),
  );
}

import { expect, test } from 'vitest';
import { createLink, readMail, signUp } from '../factories/factories.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { deliverWebhook, findEvent, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const SUBJECT = 'Your payment did not go through: A room';

describeOnBothDatabases('a delayed payment that fails later', (database) => {
  const app = useApp({ database, env: webhookEnv(sandboxPort) });

  test('is told to its buyer by one mail, however often it is reported, with the way to try again', async () => {
    const seller = await signUp(app);
    const room = { type: 'link', url: 'https://example.com/', title: 'A room', price: 700 };
    const { id } = await createLink(seller, room);
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id), CARDS.failsLater);
    const event = await findEvent(sandboxPort, 'checkout.session.async_payment_failed');
    await Promise.all(
      [1, 2, 3].map((copy) => deliverWebhook(app, { ...event, id: `${event.id}_${copy}` })),
    );
    const mail = await readMail(app, BUYER_EMAIL, /did not go through/);
    expect(mail.subject).toBe(SUBJECT);
    expect(mail.text).toContain(
      'The payment of $7.00 for A room was not completed. Nothing was charged.',
    );
    expect(mail.text).toContain(`Try again: ${app.origin}/p/${id}`);
    expect(mail.html).toContain(`href="${app.origin}/p/${id}"`);
    await eventually(async () =>
      withDatabase(app, async (db) => {
        const jobs = await db.selectFrom('job').select('kind').distinct().execute();
        expect(jobs).toEqual([{ kind: 'follow-checkout' }]);
      }),
    );
    const mails = await readJson<{ subject: string }[]>(await fetch(`${app.origin}/mailbox.json`));
    expect(mails.filter(({ subject }) => subject === SUBJECT)).toHaveLength(1);
    expect(await checkOut(buyer, id)).toContain('/sandbox/checkout/');
  });
});

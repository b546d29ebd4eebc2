import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBalance, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { deliverWebhook, findEvent, webhookEnv } from '../harness/webhook.ts';

describeOnSqliteFirst('a power cut', (database) => {
  let sandboxPort: number;
  let app: SpawnedApp;
  let seller: Person;

  beforeAll(async () => {
    sandboxPort = await findFreePort();
    app = await spawnApp({
      database,
      env: webhookEnv(sandboxPort),
    });
    seller = await signUp(app);
  });
  afterAll(() => app?.stop());

  test('between the webhook and its handling loses nothing', async () => {
    const before = await readBalance(seller);
    const { id } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    const event = await findEvent(sandboxPort, 'checkout.session.completed');
    const answer = await deliverWebhook(app, event);
    await app.kill();
    expect(answer.status).toBe(200);
    await app.start();
    await waitUntilUnlocked(buyer, id);
    await eventually(async () => expect(await readBalance(seller)).toBe(before + 920));
  });

  test('right after the payment loses nothing', async () => {
    const before = await readBalance(seller);
    const { id } = await sellFile(seller, { price: 1000 });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await app.kill();
    await app.start();
    await waitUntilUnlocked(buyer, id);
    await eventually(async () => expect(await readBalance(seller)).toBe(before + 920));
  });

  test('a polite end is quick and says so by its exit code', async () => {
    const polite = await spawnApp({ database });
    expect(await polite.stop()).toBe(0);
  });
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startProviderProxy } from '../errors/provider-proxy.ts';
import { sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;

/** A mail server that hands on what it hears, until it accepts connections and never speaks. */
async function startMailServerThatFallsSilent(target: string) {
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    if (silent) return;
    const behind = connect(Number(new URL(target).port), '127.0.0.1');
    sockets.add(behind.on('error', () => behind.destroy()));
    socket.pipe(behind).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent() {
      silent = true;
      close();
    },
    stop() {
      close();
      server.close();
    },
  };
}

const countJobs = (app: App, kind: 'send-receipt' | 'review-payment') =>
  withDatabase(app, async (db) => {
    const jobs = await db.selectFrom('job').where('kind', '=', kind).select('id').execute();
    return jobs.length;
  });

async function buyTimes(app: App, seller: Person, times: number): Promise<void> {
  const { id } = await sellFile(seller);
  for (let sale = 0; sale < times; sale += 1) await payFor(createPerson(app), id);
}

async function expectToSettle(app: App, seller: Person): Promise<void> {
  const { id } = await sellFile(seller);
  const buyer = createPerson(app);
  await payFor(buyer, id);
  await waitUntilUnlocked(buyer, id);
}

describeOnSqliteFirst('what hangs elsewhere', (database) => {
  test('a mail server that never speaks, with many receipts waiting, holds up no payment', async () => {
    const mailServer = await startMailServer();
    const mail = await startMailServerThatFallsSilent(mailServer.url);
    const app = await startApp({
      database,
      env: { SMTP_URL: mail.url, MAIL_FROM: 'Padlink <pay@example.com>', PAYMENTS: 'sandbox' },
    });
    try {
      const seller = createPerson(app);
      const account = { email: 'ada@example.com', password: 'Correct-horse-7', name: 'Ada' };
      await readJson(
        await postJson(seller, '/api/auth/sign-up/email', { ...account, firstName: 'Ada' }),
      );
      const otp = await mailServer.readCode(account.email);
      const { email } = account;
      await readJson(await postJson(seller, '/api/auth/email-otp/verify-email', { email, otp }));
      mail.fallSilent();
      await buyTimes(app, seller, 24);
      await eventually(async () => expect(await countJobs(app, 'send-receipt')).toBeGreaterThan(8));
      await expectToSettle(app, seller);
      expect(await countJobs(app, 'send-receipt')).toBeGreaterThan(8);
    } finally {
      await app.stop();
      mail.stop();
      await mailServer.stop();
    }
  });

  test('a mail server that is down for a day is sent every receipt once it is back', async () => {
    let later = 0;
    const app = await startApp({ database, overrides: { now: () => Date.now() + later } });
    onTestFinished(() => app.stop());
    const { id } = await sellFile(await signUp(app));
    const port = await findFreePort();
    const SMTP_URL = `smtp://127.0.0.1:${port}`;
    Object.assign(app.env, { SMTP_URL, MAIL_FROM: 'shop@example.com', PAYMENTS: 'sandbox' });
    await app.restart();
    for (let sale = 0; sale < 3; sale += 1) await payFor(createPerson(app), id);
    const attempts = () =>
      withDatabase(app, async (db) => {
        const jobs = db.selectFrom('job').where('kind', '=', 'send-receipt').select('attempts');
        return (await jobs.execute()).map((job) => job.attempts);
      });
    for (let tries = 1; tries <= 4; tries += 1) {
      await eventually(async () => {
        const made = await attempts();
        expect(made).toHaveLength(3);
        expect(Math.min(...made)).toBeGreaterThanOrEqual(tries);
      });
      later += 6 * HOUR_MS;
    }
    const mailServer = await startMailServer({ port });
    onTestFinished(() => mailServer.stop());
    later += HOUR_MS;
    await eventually(() => expect(mailServer.mailsTo(BUYER_EMAIL)).toHaveLength(3));
    await eventually(async () => expect(await attempts()).toEqual([]));
  });

  test('a call that the provider never answers does not hold every place of the worker', async () => {
    const proxy = await startProviderProxy();
    const app = await startApp({ database, env: proxy.env, overrides: proxy.overrides });
    try {
      const seller = await signUp(app);
      proxy.fail('silent about refunds');
      await buyTimes(app, seller, 16);
      await eventually(async () =>
        expect(await countJobs(app, 'review-payment')).toBeGreaterThan(8),
      );
      await expectToSettle(app, seller);
    } finally {
      proxy.stop();
      await app.stop();
    }
  });
});

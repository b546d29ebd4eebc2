import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { payOnPage, sellOnPage, signUpOnPage, unlockOnPage } from './steps.ts';

const host = 'padlink.lan';

describe('an address of the local network without https', () => {
  let mail: MailServer;
  let app: SpawnedApp;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'padlink-lan-'));
    mail = await startMailServer();
    app = await spawnApp({
      host,
      env: { PAYMENTS: 'sandbox', SMTP_URL: mail.url, MAIL_FROM: 'shop@padlink.lan' },
    });
  });
  afterAll(async () => {
    await app?.stop();
    await mail?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  // No secure context: no crypto.subtle, no randomUUID, no clipboard, no Secure cookies.
  test('does the whole job', { tags: 'long' }, async () => {
    const browserArgs = [`--host-resolver-rules=MAP ${host} 127.0.0.1`];
    const creator = await openPage(app, { browserArgs });
    await signUpOnPage(creator, app, (email) => mail.readCode(email));
    expect(await creator.evaluate(() => window.isSecureContext)).toBe(false);
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'what was sold');
    const link = await sellOnPage(creator, file, '5');

    const visitor = await openPage(app, { browserArgs });
    await unlockOnPage(visitor, link);
    const downloading = visitor.waitForEvent('download');
    await payOnPage(visitor);
    await visitor.getByRole('heading', { name: 'Payment Successful' }).waitFor();
    expect((await downloading).suggestedFilename()).toBe('notes.txt');
  });

  test('keeps the mailbox to itself', async () => {
    for (const path of ['/mailbox', '/mailbox.json']) {
      expect(await statusAt(app, path)).toBe(404);
    }
  });
});

/** Asks under the name of the local network, which this machine's resolver does not know. */
async function statusAt(app: SpawnedApp, path: string): Promise<number | undefined> {
  const asked = get({ port: app.port, path, headers: { host: `${host}:${app.port}` } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

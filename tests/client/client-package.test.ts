import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeCalls, describeCodes, describeOperations } from '../../scripts/describe-client.ts';
import { createLink, graphql, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { findFreePort } from '../harness/free-port.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'client');

describe('the package of the client', () => {
  const app = useApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const folder = mkdtempSync(join(tmpdir(), 'padlink-client-'));
  const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');

  beforeAll(async () => {
    const modules = join(folder, 'node_modules', '@padlink', 'client');
    mkdirSync(modules, { recursive: true });
    // As it is published.
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: CLIENT,
    });
    const archive = join(folder, packed.stdout.trim());
    execFileSync('tar', ['-xzf', archive, '-C', modules, '--strip-components=1']);
    for (const [, source = ''] of readme.matchAll(/^```js\n(.*?)^```/gms)) {
      writeFileSync(join(folder, /^\/\/ (\S+)/.exec(source)?.[1] ?? ''), source);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const start = (file: string, env: Record<string, string>) =>
    run(process.execPath, [file], { cwd: folder, env: { PADLINK_URL: app.origin, ...env } });

  test('holds what it is made of, needs nothing else and says so', () => {
    const files = execFileSync('tar', ['-tzf', join(folder, 'padlink-client-0.1.0.tgz')], {
      encoding: 'utf8',
    });
    expect(files.trim().split('\n').toSorted()).toEqual(
      [
        ...['LICENSE', 'README.md', 'package.json'],
        ...['errors', 'index', 'padlink', 'transport', 'upload', 'webhooks']
          .concat(['calls', 'codes', 'operations'].map((name) => `generated/${name}`))
          .flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]),
      ]
        .map((name) => `package/${name}`)
        .toSorted(),
    );
    const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
    const ours = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(manifest.version).toBe(ours.version);
    const licenses = [ROOT, CLIENT].map((at) => readFileSync(join(at, 'LICENSE'), 'utf8'));
    expect(licenses[1]).toBe(licenses[0]);
  });

  test('sells and buys by the lines of its README', { tags: 'long' }, async () => {
    const creator = await signUp(app);
    const { secret } = await createSecretKey(creator, 'Program', ['sell', 'read']);
    const sold = await createLink(creator, {
      type: 'link',
      url: 'https://a.example',
      title: 'One',
    });
    await payFor(createPerson(app), sold.id);
    writeFileSync(join(folder, 'song.mp3'), 'The song.');
    const sale = await start('sell.mjs', { PADLINK_SECRET_KEY: secret });
    expect(sale.stderr).toBe('0%\n100%\n');
    const [address = '', line] = sale.stdout.split('\n');
    const id = /\/p\/([0-9a-f]{8})$/.exec(address)?.[1] ?? '';
    expect(line).toMatch(/ One 500 \d+ active$/);

    const purchase = await start('buy.mjs', { LINK_ID: id });
    const [offer, pay, outcome] = purchase.stdout.split('\n');
    expect(offer).toBe(`The song $4.99 ${app.origin}/terms`);
    expect(pay).toContain(`Pay at ${app.origin}/sandbox/checkout/`);
    expect(outcome).toBe('This is not paid for, or the payment is on its way.');
  });

  test('listens by the lines of its README, with the secret before as well', {
    tags: 'long',
  }, async () => {
    const port = String(await findFreePort());
    const creator = await signUp(app);
    const { createWebhook: hook } = await graphql<{ createWebhook: { secret: string } }>(
      creator,
      'mutation ($url: String!) { createWebhook(url: $url) { secret } }',
      { url: `http://127.0.0.1:${port}` },
    );
    const secrets = `${hook.secret} whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD`;
    const env = { WEBHOOK_SECRETS: secrets, PORT: port };
    const receiver = spawn(process.execPath, ['listen.mjs'], { cwd: folder, env });
    onTestFinished(() => void receiver.kill());
    let heard = '';
    receiver.stdout.on('data', (text) => {
      heard += text;
    });
    const { id } = await createLink(creator, {
      type: 'link',
      url: 'https://a.example',
      title: 'Two',
    });
    await payFor(createPerson(app), id);
    await expect.poll(() => heard).toBe('Sold: Two\n');
    const forged = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' });
    expect(forged.status).toBe(400);
  });

  test('has types for strict programs, without those of Node.js', { tags: 'long' }, async () => {
    writeFileSync(
      join(folder, 'program.mts'),
      `import { Padlink, PadlinkError, webhooks } from '@padlink/client';
      const shop = new Padlink({ url: 'https://pay.example.com', key: 'sk_padlink_' });
      export const price: number = (await shop.links.create({ type: 'file', price: 1 })).price;
      for await (const sale of shop.sales.list({ sort: 'newest' })) sale.refunds satisfies object[];
      const event = await webhooks.verify(new Headers(), '', 'whsec_');
      if (event.type === 'sale.refunded') event.data.refund.amount satisfies number;
      // @ts-expect-error: there is no such order.
      shop.sales.list({ sort: 'loudest' });
      export const isOurs = (error: unknown) => error instanceof PadlinkError && error.status;`,
    );
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const words = [tsc, ...options, '--lib', 'es2022,dom', '--types', '', 'program.mts'];
    const told = await run(process.execPath, words, { cwd: folder }).catch(({ stdout }) => stdout);
    expect(told).toMatchObject({ stdout: '' });
  });

  test('is typed as the schema and the routes are now (npm run schema)', async () => {
    const read = (name: string) => readFileSync(join(CLIENT, 'src', 'generated', name), 'utf8');
    const description = await (await fetch(`${app.origin}/openapi.json`)).json();
    expect(read('operations.ts')).toBe(describeOperations());
    expect(read('codes.ts')).toBe(describeCodes());
    expect(read('calls.ts')).toBe(describeCalls(description));
  });
});

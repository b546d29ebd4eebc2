import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import {
  opensslLines,
  type ReceiptKey,
  type ReceiptStatement,
} from '../../contract/signed-receipt.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  createLink,
  graphql,
  sellFile,
  signUp,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { skipWithout } from '../harness/needs.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { runFolder } from '../harness/run-folder.ts';
import { useApp } from '../harness/use-app.ts';

const run = promisify(execFile);
const HTML = { headers: { accept: 'text/html' } };
const GUIDE = readFileSync(
  join(import.meta.dirname, '../..', 'docs', 'signed-receipts.md'),
  'utf8',
);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const stated = (receipt: string): ReceiptStatement =>
  JSON.parse(receipt.slice(0, receipt.indexOf('-----BEGIN')));

describeOnSqliteFirst('signed receipts', (database) => {
  const operator = {
    OPERATOR_NAME: 'Lantern Books Ltd',
    OPERATOR_ADDRESS: '1 Quay Street\nHarbourtown',
  };
  const app = useApp({ database, env: operator });
  let seller: Person;
  let buyer: Person;
  let link: { id: string; bytes: Uint8Array };

  beforeAll(async () => {
    seller = await signUp(app);
    await graphql(seller, 'mutation { setSellerName(name: "Ada’s desk") }');
    link = await sellFile(seller, { name: 'notes.pdf' });
    await updateLink(seller, { id: link.id, title: 'Lecture “notes”' });
    buyer = await buy(link.id);
  });

  async function buy(id: string) {
    const person = createPerson(app);
    await payFor(person, id);
    await waitUntilUnlocked(person, id);
    return person;
  }

  async function fetchReceipt(
    person = buyer,
    { id }: { id: string } = link,
    query = '',
  ): Promise<string> {
    const answer = await person.fetch(`/p/${id}/receipt${query}`);
    expect(answer.status).toBe(200);
    return answer.text();
  }

  const listKeys = async () =>
    (
      await readJson<{ keys: ReceiptKey[] }>(
        await fetch(`${app.origin}/.well-known/padlink-receipt-keys.json`),
      )
    ).keys;

  test('state what was bought in the words of the checkout, and nothing of the buyer', async () => {
    const { key } = await uploadFile(seller, { name: 'other.pdf', bytes: Buffer.from('other') });
    await updateLink(seller, { id: link.id, key, title: 'Renamed' });
    const answer = await buyer.fetch(`/p/${link.id}/receipt`);
    const receipt = await answer.text();
    const { purchase, paidAt, key: kid, ...statement } = stated(receipt);
    expect(statement).toEqual({
      padlink: 'signed receipt',
      format: 2,
      site: app.origin,
      mode: 'test',
      price: '5.00',
      tax: '0.00',
      total: '5.00',
      currency: 'USD',
      seller: 'Ada’s desk',
      operator: { name: 'Lantern Books Ltd', address: '1 Quay Street\nHarbourtown' },
      title: 'Lecture “notes”',
      link: link.id,
      version: 1,
      files: [{ name: 'notes.pdf', bytes: 1000, sha256: hashOf(link.bytes) }],
      address: null,
      verify: `${app.origin}/verify`,
    });
    expect(Math.abs(Date.parse(paidAt) - Date.now())).toBeLessThan(300_000);
    expect(kid).toBe((await listKeys())[0]?.kid);
    expect(receipt).not.toContain(BUYER_EMAIL);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="padlink-receipt-${purchase}.txt"`,
      'cache-control': 'private, no-store, no-transform',
    });
    expect(await fetchReceipt(buyer, link, `?purchase=${purchase}`)).toBe(receipt);
  });

  test('of a web address state the address', async () => {
    const url = 'https://example.com/room';
    const address = await createLink(seller, { type: 'link', url });
    const receipt = await fetchReceipt(await buy(address.id), address);
    expect(stated(receipt)).toMatchObject({ address: url, files: [], title: null });
  });

  test('are verified by the lines in the docs, before and after the key is rotated', async () => {
    const needed = [run('openssl', ['version']), run('curl', ['--version'])];
    const [openssl] = await Promise.all(needed).catch(() => []);
    if (!openssl || !/^OpenSSL [3-9]/.test(openssl.stdout)) skipWithout('openssl');
    expect(GUIDE).toContain(opensslLines('https://pay.example.com', 'KEY').join('\n'));
    const before = await fetchReceipt();
    expect(await verify(before)).toContain('Signature Verified Successfully');

    const { status, stdout } = await runCli(app.env, 'keys', 'rotate');
    expect(status).toBe(0);
    const after = await fetchReceipt();
    expect(stated(after).key).not.toBe(stated(before).key);
    expect(stdout).toContain(stated(after).key);
    for (const receipt of [before, after]) {
      const said = await verify(receipt);
      expect(said).toContain('Signature Verified Successfully');
      expect(said).toContain(stated(receipt).files[0]?.sha256);
    }
    for (const change of [
      (receipt: string) => receipt.replace('"5.00"', '"0.50"'),
      (receipt: string) => receipt.replace('Ada’s', 'Eve’s'),
      (receipt: string) => receipt.replace(stated(before).key, stated(after).key),
    ]) {
      await expect(verify(change(before))).rejects.toMatchObject({
        stdout: expect.stringContaining('Signature Verification Failure'),
      });
    }
  });

  /** What the lines in the guide print for a receipt of the link. */
  async function verify(receipt: string): Promise<string> {
    const [, block = ''] = /```sh\n(.*?)```/s.exec(GUIDE) ?? [];
    const lines = block
      .replaceAll('https://pay.example.com', app.origin)
      .replaceAll('KEY.pem', `${stated(receipt).key}.pem`);
    const cwd = mkdtempSync(join(runFolder(), 'receipt-'));
    writeFileSync(join(cwd, 'receipt.txt'), receipt);
    writeFileSync(join(cwd, 'FILE'), link.bytes);
    const { stdout, stderr } = await run('sh', ['-ec', lines], { cwd });
    return stdout + stderr;
  }

  test('name their keys at a well-known address, retired ones included', async () => {
    await runCli(app.env, 'keys', 'rotate');
    const answer = await fetch(`${app.origin}/.well-known/padlink-receipt-keys.json`);
    expect(answer.headers.get('content-type')).toBe('application/jwk-set+json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    const [current, ...retired] = await listKeys();
    expect(current).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', retired: null });
    expect(retired.length).toBeGreaterThan(0);
    for (const { kid, x, retired: at } of retired) {
      expect(at).toMatch(/^\d{4}-.*Z$/);
      const thumbprint = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
      expect(kid).toBe(createHash('sha256').update(thumbprint).digest('base64url'));
    }
    const unknown = await fetch(`${app.origin}/.well-known/padlink-receipt-keys/none.pem`);
    expect(unknown.status).toBe(404);
  });

  test('are given to whoever may have the content by a purchase, and of their sales to sellers', async () => {
    const { purchase } = stated(await fetchReceipt());
    const other = await sellFile(seller);
    const otherBuyer = await buy(other.id);
    const isRefused = async (person: Person, path: string) => {
      const answer = await person.fetch(path, HTML);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/p/${link.id}`]);
    };
    for (const person of [createPerson(app), otherBuyer, seller]) {
      await isRefused(person, `/p/${link.id}/receipt`);
      await isRefused(person, `/p/${link.id}/receipt?purchase=${purchase}`);
    }
    const { purchase: theirs } = stated(await fetchReceipt(otherBuyer, other));
    await isRefused(buyer, `/p/${link.id}/receipt?purchase=${theirs}`);

    const table = await (await seller.fetch('/dashboard/sales.csv')).text();
    const path = `/dashboard/sales/${purchase}/receipt`;
    expect(table).toContain(`,${app.origin}${path},`);
    for (const state of ['active', 'suspended', 'ended']) {
      await runSql(app, `UPDATE access_grant SET state = '${state}' WHERE link_id = '${link.id}'`);
      if (state !== 'active') await isRefused(buyer, `/p/${link.id}/receipt`);
      const sold = await seller.fetch(path);
      expect(sold.headers.get('cache-control')).toBe('private, no-store, no-transform');
      expect(stated(await sold.text()).purchase).toBe(purchase);
    }
    await runSql(app, `UPDATE access_grant SET state = 'active' WHERE link_id = '${link.id}'`);
    expect((await (await signUp(app)).fetch(path)).status).toBe(404);
    const stranger = await createPerson(app).fetch(path);
    expect(stranger.headers.get('location')).toMatch(/^\/login\?/);
  });

  test('wait until every file is hashed', async () => {
    const sold = await sellFile(seller);
    const person = await buy(sold.id);
    await runSql(app, `UPDATE file SET sha256 = NULL WHERE link_id = '${sold.id}'`);
    const answer = await person.fetch(`/p/${sold.id}/receipt`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: 'RECEIPT_UNAVAILABLE' });
  });

  test('are signed by one key across starts, and by another once the secret is another', async () => {
    const before = await fetchReceipt();
    await app.restart();
    expect(await fetchReceipt()).toBe(before);
    await app.pause();
    app.env.APP_SECRET = 'another-secret-of-more-than-32-letters';
    const refused = await runCli(app.env, 'keys', 'rotate');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect((await runCli(app.env, 'secret', 'accept')).status).toBe(0);
    await app.restart();
    const after = await fetchReceipt();
    expect(stated(after).key).not.toBe(stated(before).key);
    expect((await listKeys()).map(({ kid }) => kid)).toContain(stated(before).key);
  });
});

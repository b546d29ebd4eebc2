import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createLink,
  graphql,
  signUp,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { type RunningProxy, startProxy } from '../harness/proxies.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';

const MEBIBYTE = 1024 ** 2;
/** Far more than the system keeps for a client that does not read. */
const SIZE = 48 * MEBIBYTE;

describe('nginx that sends the files, set up as in deploy/', () => {
  const app = useApp({ env: { DOWNLOAD_ACCEL: '/protected/' } });
  let nginx: RunningProxy | null = null;
  let port: number;
  let log: string;
  let seller: Person;
  let keys: string[];

  beforeAll(async () => {
    port = await findFreePort();
    nginx = await startProxy('nginx', { port, appPort: app.port, dataDir: app.dataDir });
    if (!nginx) return;
    log = join(nginx.folder, 'padlink-downloads.log');
    seller = await signUp(app);
    const bytes = new Uint8Array(randomBytes(SIZE));
    keys = [
      (await uploadFile(seller, { name: 'film.bin', bytes })).key,
      (await uploadFile(seller, { name: 'notes.txt', bytes: bytes.slice(0, 10) })).key,
    ];
  });
  afterAll(() => nginx?.stop());

  /** An answer that nginx gives, its body still to be read. */
  function open(path: string, range = ''): Promise<IncomingMessage> {
    const headers = { host: new URL(app.origin).host, ...(range && { range }) };
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject);
    });
  }

  /** Reads until so many bytes are there, and leaves. @returns how many there were */
  async function read(response: IncomingMessage, wanted = Number.POSITIVE_INFINITY) {
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes >= wanted) break;
    }
    return bytes;
  }

  async function sell(files: string[], content: string) {
    const { id } = await createLink(seller, { key: files[0], files });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const wayOf = async (person: Person) =>
      (await person.fetch(`/p/${id}/${content}`)).headers.get('location') ?? '';
    return { path: await wayOf(buyer), ownPath: await wayOf(seller) };
  }

  /** What the seller sees of the last sale, once nginx has written its log. */
  async function seeDelivery() {
    await runCli(app.env, 'deliveries', 'import', log);
    type Sales = { listSales: { items: { delivery: { state: string; percent: number } }[] } };
    const query = 'query { listSales { items { delivery { state percent } } } }';
    return (await graphql<Sales>(seller, query)).listSales.items[0]?.delivery;
  }
  const expectDelivered = () =>
    eventually(async () =>
      expect(await seeDelivery()).toEqual({ state: 'delivered', percent: 100 }),
    );
  const expectPartly = () =>
    eventually(async () => {
      const { state, percent = 0 } = (await seeDelivery()) ?? {};
      expect([state, percent > 0, percent < 100]).toEqual(['partly', true, true]);
    });

  test('sends a file, and what it logs adds up when the client resumes', async () => {
    if (!nginx) return skipWithout('nginx');
    const { path } = await sell(keys.slice(0, 1), 'content');
    const answer = await open(path);
    expect(answer.headers).toMatchObject({
      'content-disposition': 'attachment; filename=film.bin',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store, no-transform',
    });
    const received = await read(answer, MEBIBYTE);
    await expectPartly();
    const rest = await open(path, `bytes=${received}-`);
    expect([rest.statusCode, await read(rest)]).toEqual([206, SIZE - received]);
    await expectDelivered();
  });

  test('takes in no more of an archive than its client reads', async () => {
    if (!nginx) return skipWithout('nginx');
    const { path, ownPath } = await sell([keys[1] ?? '', keys[0] ?? ''], 'content.zip');
    const unread = await open(path);
    // As long as this takes, nginx could take in the other as well.
    await read(await open(ownPath));
    const received = await read(unread, MEBIBYTE);
    await expectPartly();
    await read(await open(path, `bytes=${received}-`));
    await expectDelivered();
  });
});

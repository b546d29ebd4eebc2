import { randomBytes, randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { MAX_SEARCH_WORDS } from '../contract/limits.ts';
import { createStranger, type Stranger } from './stranger.ts';

/** What the hostile clients are told when they are started. */
export interface Orders {
  origin: string;
  /** The publishable key that every page has. */
  apiKey: string;
  /** The link that honest people buy meanwhile, and its seller. */
  linkId: string;
  sellerEmail: string;
  /** Cookies of an account of their own, with confirmed address. */
  account: [string, string][];
}

/** How often each status came back to each client. */
export type Statuses = Record<string, Record<string, number>>;

/** One character that becomes eighteen when texts are made comparable. */
const EXPANDING = '\uFDFA';
export const HOSTILE_WORDS = Array.from(
  { length: MAX_SEARCH_WORDS },
  (_, number) => `${EXPANDING}${number}`,
);

/** Does the same over and over, so many at a time, until the process is ended. */
function repeat(times: number, work: (turn: number) => Promise<unknown>): void {
  for (let lane = 0; lane < times; lane++) {
    void (async () => {
      for (let turn = lane; ; turn += times) {
        await work(turn).catch(() => {});
        // Refused at once is no reason to ask as fast as the processor can.
        await sleep(5);
      }
    })();
  }
}

/** Looks for eight long words, in the data layer and on the page. */
function search(stranger: Stranger, { apiKey }: Orders): void {
  const words = HOSTILE_WORDS.join(' ');
  const list = `listPaywallLinks(search: ${JSON.stringify(words)}, limit: 100) { items { id } }`;
  repeat(6, () => stranger.post('/graphql', { query: `{ ${list} }` }, { 'x-api-key': apiKey }));
  repeat(2, () => stranger.ask('GET', `/explore?q=${encodeURIComponent(words)}`));
}

/** Sends what is answered at length, and leaves answers unread. */
function amplify(stranger: Stranger, { apiKey }: Orders): void {
  const wrong = Object.fromEntries(
    Array.from({ length: 60 }, (_, number) => [`no${number}`, 'x'.repeat(900)]),
  );
  const query =
    'query ($f: ModelPaywallLinkFilterInput) { listPaywallLinks(filter: $f) { nextToken } }';
  const body = JSON.stringify({ query, variables: { f: wrong } });
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  repeat(6, () => stranger.ask('POST', '/graphql', { headers, body }));

  const { port, host } = new URL(stranger.origin);
  repeat(60, async () => {
    const socket = connect({
      port: Number(port),
      host: '127.0.0.1',
      localAddress: stranger.address,
    });
    socket.once('error', () => {});
    const request = `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nX-Api-Key: ${apiKey}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    socket.pause();
    socket.write(request.repeat(20));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await Promise.race([closed, sleep(20_000)]);
    socket.destroy();
  });
}

/** Begins checkouts and asks about them without end, with claims and without. */
function pester(stranger: Stranger, { apiKey, linkId }: Orders): void {
  const sessions: string[] = [];
  repeat(2, async () => {
    const { status, body } = await stranger.post('/prod/checkout', { paywallId: linkId });
    if (status !== 200) return sleep(1_000);
    sessions.push(new URL(JSON.parse(body.toString()).url).pathname.split('/').at(-1) ?? '');
  });
  repeat(6, () => {
    const asked = Array.from({ length: 15 }, (_, number) => {
      const session = sessions.at(-1 - number) ?? `cs_test_${randomBytes(24).toString('hex')}`;
      return `a${number}: getCheckout(sessionId: "${session}") { state }`;
    });
    const query = `{ ${asked.join(' ')} }`;
    return stranger.post('/graphql', { query }, { 'x-api-key': apiKey });
  });
  repeat(2, (turn) => stranger.ask('GET', `/success?session_id=${sessions.at(-1 - (turn % 50))}`));
  repeat(2, () => stranger.ask('GET', `/p/${linkId}/view.gif`));
  repeat(1, () => stranger.post(`/access/${randomBytes(48).toString('base64url')}`, {}));
}

/** Fills the disk with an account: uploads to the last byte that it is allowed, deletes, begins anew. */
function fill(stranger: Stranger, { account, linkId }: Orders): void {
  for (const [name, value] of account) stranger.cookies.set(name, value);
  const megabyte = randomBytes(1024 * 1024);
  const tus = { 'tus-resumable': '1.0.0' };
  repeat(4, async (turn) => {
    const metadata = `filename ${Buffer.from(`${turn}.bin`).toString('base64')}`;
    const length = String(megabyte.length * randomInt(1, 64));
    const headers = { ...tus, 'upload-length': length, 'upload-metadata': metadata };
    const created = await stranger.ask('POST', '/uploads', { headers });
    const { location } = created.headers;
    if (!location) return sleep(200);
    await stranger.ask('PATCH', location, {
      headers: {
        ...tus,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: megabyte,
    });
    if (turn % 8 === 0) await stranger.ask('DELETE', location, { headers: tus });
  });
  repeat(1, () => stranger.ask('PUT', `/p/${linkId}/cover`, { body: megabyte }));
  repeat(2, () => stranger.ask('GET', '/storage/list'));
}

/** Twenty live connections that send a hundred messages at once, and read nothing. */
function chatter(stranger: Stranger, { apiKey }: Orders): void {
  const list = `listPaywallLinks(search: "${HOSTILE_WORDS.join(' ')}", limit: 100) { items { id title description } }`;
  repeat(20, async () => {
    const socket = new WebSocket(
      `${stranger.origin.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
      { localAddress: stranger.address, headers: { origin: stranger.origin } },
    );
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': apiKey } }));
      socket.pause();
      for (let id = 0; id < 100; id++) {
        const message = { type: 'subscribe', id: String(id), payload: { query: `{ ${list} }` } };
        socket.send(JSON.stringify(message));
      }
    });
    await Promise.race([closed, sleep(10_000)]);
    socket.terminate();
  });
}

/** Guesses the seller's password, mails strangers, and knocks wherever a fault is written down. */
function knock(stranger: Stranger, { sellerEmail }: Orders): void {
  repeat(3, (turn) => {
    const guess = { email: sellerEmail, password: `Wrong-guess-${turn}` };
    return stranger.post('/api/auth/sign-in/email', guess);
  });
  repeat(1, (turn) => {
    const email = `stranger-${turn}@example.com`;
    const name = 'Win a prize now at evil.example today'.padEnd(60, '!');
    const account = { email, password: 'Correct-horse-7', name, firstName: name };
    return stranger.post('/api/auth/sign-up/email', account);
  });
  repeat(1, () =>
    stranger.post('/api/auth/email-otp/request-password-reset', { email: sellerEmail }),
  );
  repeat(2, () => stranger.ask('GET', '/api/auth/passkey/generate-authenticate-options'));
  repeat(2, () =>
    stranger.ask('POST', '/webhooks/stripe', {
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=x,v1=%00' },
      body: '{}',
    }),
  );
  repeat(2, () => stranger.ask('GET', '/oembed?format=x'));
  repeat(2, () => stranger.ask('GET', '/api/auth/callback/none?state=bad&code=bad'));
  repeat(2, () => stranger.ask('GET', '/%E0%A4%A', { headers: { accept: 'text/html' } }));
}

const CLIENTS = { search, amplify, pester, fill, chatter, knock };

/** Runs in a process of its own. Tells its parent, when asked, how often each status came back. */
function attack(orders: Orders): void {
  const strangers = Object.entries(CLIENTS).map(([name, client], number) => {
    const stranger = createStranger(orders.origin, `127.0.0.${number + 2}`);
    client(stranger, orders);
    return { name, stranger };
  });
  process.on('message', () => {
    const told = strangers.map(({ name, stranger }) => [
      name,
      Object.fromEntries(stranger.statuses),
    ]);
    process.send?.(Object.fromEntries(told));
  });
}

if (process.send) process.once('message', (orders: Orders) => attack(orders));

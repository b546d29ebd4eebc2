import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Pushed {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

type Answer = 201 | 302 | 410 | 500 | 'never';

const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** The record that is the last one ends with it (RFC 8188). */
const LAST = 2;

export type Subscription = {
  endpoint: string;
  p256dh: string;
  auth: string;
};

/** What a browser subscribes by; it keeps both keys. */
export function createSubscription(endpoint: string) {
  const pair = createECDH('prime256v1');
  const auth = randomBytes(16);
  const keys = { p256dh: pair.generateKeys('base64url'), auth: auth.toString('base64url') };
  const subscription: Subscription = { endpoint, ...keys };
  return { subscription, decrypt: (body: Buffer) => decrypt(body, pair, auth) };
}

/** A push service, as the makers of browsers have them (RFC 8030), and the browsers that trust it. */
export async function startPushService() {
  const boxes = new Map<string, { pushed: Pushed[]; answer: Answer }>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const box = boxes.get(request.url ?? '');
    box?.pushed.push({ headers: request.headers, body });
    const answer = request.method === 'POST' && box ? box.answer : 500;
    if (answer !== 'never') response.writeHead(answer, { location: '/push/elsewhere' }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** A browser's subscription, and what it can read by its keys. */
    subscribe() {
      const path = `/push/${randomBytes(16).toString('base64url')}`;
      const box = { pushed: [] as Pushed[], answer: 201 as Answer };
      boxes.set(path, box);
      const browser = createSubscription(origin + path);
      return {
        subscription: browser.subscription,
        pushed: box.pushed,
        answerWith(answer: Answer) {
          box.answer = answer;
        },
        read: () => box.pushed.map(({ body }) => JSON.parse(browser.decrypt(body))),
      };
    },
    onConnection(run: () => void) {
      server.on('connection', run);
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** RFC 8291 and RFC 8188, for a message of one record. */
function decrypt(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES);
  const keyAt = SALT_BYTES + 5;
  const keyBytes = body.readUInt8(keyAt - 1);
  const sender = body.subarray(keyAt, keyAt + keyBytes);
  const shared = pair.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32));
  const derived = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${what}\0`, bytes));
  const sealed = body.subarray(keyAt + keyBytes);
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12), {
    authTagLength: TAG_BYTES,
  }).setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = text.lastIndexOf(LAST);
  return text.subarray(0, end).toString();
}

/** Who says to have sent it (RFC 8292). @throws Error where the signature does not fit */
export function readSender({ headers }: Pick<Pushed, 'headers'>) {
  const [, token = '', key = ''] =
    /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error(`Not signed by ${key}: ${token}`);
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return { key, aud, sub, expiresAt: exp * 1000 };
}

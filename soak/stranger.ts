import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** What came back, or that the connection was ended without an answer. */
interface Answer {
  /** 0 where there was none. */
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Somebody at an address of their own in this machine's loopback network. */
export interface Stranger {
  origin: string;
  /** 127.0.0.2 and so on. */
  address: string;
  /** `name=value` each, as they were set. */
  cookies: Map<string, string>;
  /** How often each status came back. */
  statuses: Map<number, number>;
  ask(method: string, path: string, sent?: Sent): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

interface Sent {
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

/** A minute is longer than any answer takes. */
const PATIENCE_MS = 60_000;

export function createStranger(origin: string, address: string): Stranger {
  const { port, host } = new URL(origin);
  const agent = new Agent({ keepAlive: true, localAddress: address, maxSockets: 32 });
  const cookies = new Map<string, string>();
  const statuses = new Map<number, number>();

  function ask(method: string, path: string, { headers, body }: Sent = {}): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const end = (status: number, answered: IncomingHttpHeaders, parts: Buffer[]) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      resolve({ status, headers: answered, body: Buffer.concat(parts) });
    };
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = request({
      agent,
      // The name may stand for another address, at which nobody listens.
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host, origin, ...(jar && { cookie: jar }), ...headers },
      timeout: PATIENCE_MS,
    });
    sent.once('error', () => end(0, {}, []));
    sent.once('timeout', () => sent.destroy());
    sent.once('response', (response) => {
      for (const line of response.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';');
        const [name = '', ...value] = pair.split('=');
        cookies.set(name, value.join('='));
      }
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('end', () => end(response.statusCode ?? 0, response.headers, parts));
      response.once('error', () => end(0, {}, []));
    });
    sent.end(body);
    return promise;
  }

  return {
    origin,
    address,
    cookies,
    statuses,
    ask,
    post: (path, body, headers) =>
      ask('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

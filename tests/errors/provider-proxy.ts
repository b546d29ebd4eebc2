import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFreePort } from '../harness/free-port.ts';

/** An answer of the provider in place of another, to a request of this path. */
type Change = (answer: object, path: string) => object | Promise<object>;
type Fault =
  | 'none'
  | 'down'
  | 'silent'
  | 'silent about refunds'
  | 'refuses refunds'
  | 'gives no url';

/**
 * Stands between the product and the sandbox's API, to let the card provider fail.
 * Start the product with `env` and `overrides`.
 */
export async function startProviderProxy() {
  const sandboxPort = await findFreePort();
  let fault: Fault = 'none';
  let change: Change = (answer) => answer;
  let requests: string[] = [];
  const unanswered = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (fault === 'down') request.socket.destroy();
    else if (fault === 'silent') {
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
    } else if (fault === 'silent about refunds' && request.url?.startsWith('/v1/refunds')) return;
    else if (fault === 'refuses refunds' && requests.at(-1) === 'POST /v1/refunds') {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: 'No.' } }));
    } else void forward(request, response, sandboxPort, changed);
  });
  const changed: Change = (answer, path) =>
    change(fault === 'gives no url' ? { ...answer, url: null } : answer, path);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: { SANDBOX_PORT: String(sandboxPort) },
    overrides: { providerUrl: `http://127.0.0.1:${port}` },
    /** From now on, until the next call. */
    fail(next: Fault) {
      fault = next;
    },
    /** Changes what it answers from now on, until the next call; without an argument no more. */
    answerWith(next: Change = (answer) => answer) {
      change = next;
    },
    /** What it was asked since this was last called, each as method and path. */
    takeRequests(): string[] {
      const taken = requests;
      requests = [];
      return taken;
    },
    /** Requests that wait for an answer which never comes. */
    countUnanswered: () => unanswered.size,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Has the sandbox on this port answer. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  change: Change,
): Promise<void> {
  const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
  const body = (await request.toArray()).join('');
  const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(body && { body }),
  });
  const sent = await change((await answer.json()) as object, request.url ?? '');
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(sent));
}

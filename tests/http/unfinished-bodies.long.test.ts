import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useApp } from '../harness/use-app.ts';

/** Milliseconds. */
const BODY_TIMEOUT = 200;

describe('a body that never ends', () => {
  const app = useApp({ overrides: { bodyTimeoutMs: BODY_TIMEOUT } });

  test.each([
    '/graphql',
    '/api/auth/sign-in/email',
    '/prod/checkout',
    '/webhooks/stripe',
    '/nowhere',
  ])('to %s is not waited for', async (path) => {
    const { hostname, port, host } = new URL(app.origin);
    const socket = connect(Number(port), hostname);
    socket.resume();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});

import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { DomainError } from '../domain/domain-error.ts';
import { assertLocalVisit } from './mailbox.ts';

function visit(remoteAddress: string, headers: Record<string, string>) {
  return () =>
    assertLocalVisit({ socket: { remoteAddress }, headers } as unknown as FastifyRequest);
}

test.each([
  ['127.0.0.1', 'localhost:3000'],
  ['127.0.0.1', '127.0.0.1:3000'],
  ['::1', '[::1]:3000'],
  ['::ffff:127.0.0.1', 'LOCALHOST'],
])('a browser on this machine may look: %s at %s', (peer, host) => {
  expect(visit(peer, { host })).not.toThrow();
});

test.each([
  ['a neighbour', '192.168.1.7', { host: 'localhost:3000' }],
  ['a neighbour with an address that only begins alike', '1.127.0.1', { host: 'localhost' }],
  ['a foreign name pointed here', '127.0.0.1', { host: 'evil.example' }],
  ['a name that only begins alike', '127.0.0.1', { host: 'localhost.evil.example' }],
  ['a client that names no host', '127.0.0.1', {}],
  ['a proxy', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' }],
  ['a proxy', '127.0.0.1', { host: 'localhost', 'x-forwarded-proto': 'https' }],
  ['a proxy', '127.0.0.1', { host: 'localhost', forwarded: 'for=203.0.113.9' }],
  ['a proxy', '127.0.0.1', { host: 'localhost', via: '1.1 proxy' }],
  ['a proxy', '127.0.0.1', { host: 'localhost', 'x-real-ip': '203.0.113.9' }],
])('%s may not: %s %j', (_who, peer, headers) => {
  expect(visit(peer, headers as Record<string, string>)).toThrow(DomainError);
});

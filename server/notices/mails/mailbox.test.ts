import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { migrate } from '../../ground/database/migrate.ts';
import { openSqlite } from '../../ground/database/sqlite.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { MAILBOX_DAYS, MAILBOX_MAILS, openMailbox, sweepMailbox } from './mailbox.ts';
import { assertLocalVisit, listMessages } from './mailbox-routes.ts';

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
  ['a neighbor', '192.168.1.7', { host: 'localhost:3000' }],
  ['a neighbor with an address that only begins alike', '1.127.0.1', { host: 'localhost' }],
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

test('the newest mail comes first, also of one millisecond; old ones and too many are swept', async () => {
  const db = openSqlite(':memory:');
  await migrate(db);
  const send = openMailbox({ db, log: { info() {} }, now: Date.now });
  const subjects = Array.from({ length: 50 }, (_, number) => `Mail ${number}`);
  for (const subject of subjects) await send('ada@example.com', { subject, text: '', html: '' });
  const listed = async () => (await listMessages(db)).map(({ subject }) => subject);
  expect(await listed()).toEqual(subjects.toReversed());

  const copies = Array.from({ length: MAILBOX_MAILS - 1 }, (_, number) => ({
    id: `copy-${number}`,
    to: 'ada@example.com',
    subject: 'Copy',
    text: '',
    html: '',
    sent_at: Date.now() + 1_000,
  }));
  for (let at = 0; at < copies.length; at += 500) {
    await db
      .insertInto('mailbox_message')
      .values(copies.slice(at, at + 500))
      .execute();
  }
  await sweepMailbox(db, Date.now());
  const left = await db.selectFrom('mailbox_message').select('subject').execute();
  expect(left).toHaveLength(MAILBOX_MAILS);
  expect(left.filter(({ subject }) => subject !== 'Copy')).toEqual([{ subject: 'Mail 49' }]);
  await sweepMailbox(db, Date.now() + (MAILBOX_DAYS + 0.01) * 24 * 60 * 60 * 1000);
  expect(await listed()).toEqual([]);
  await db.destroy();
});

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { openSmtp } from './smtp.ts';

interface Received {
  /** By TLS. */
  secure: boolean;
  from: string;
  to: string[];
  /** By the extension for names that are not plain letters. */
  smtpUtf8: boolean;
  source: string;
}

let close: () => void = () => {};
afterEach(() => close());

async function startServer(
  options: { refuse?: boolean; offersTls?: boolean; requireTls?: boolean; replyTo?: string } = {},
) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.offersTls ? ['AUTH'] : ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => {
      done(options.refuse ? new Error('no such mailbox') : null);
    },
    onData(stream, { secure, envelope: { mailFrom, rcptTo } }, done) {
      text(stream).then((source) => {
        const from = mailFrom ? mailFrom.address : '';
        const { args } = mailFrom || { args: false };
        const smtpUtf8 = args !== false && 'SMTPUTF8' in args;
        received.push({ secure, from, to: rcptTo.map(({ address }) => address), smtpUtf8, source });
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  // The server's certificate is one that it made up.
  const query = options.offersTls ? '?tls.rejectUnauthorized=false' : '';
  const send = openSmtp({
    url: `smtp://127.0.0.1:${port}${query}`,
    from: 'Padlink <hello@padlink.example>',
    replyTo: options.replyTo ?? null,
    requireTls: options.requireTls ?? false,
  });
  close = () => {
    void send.close();
    server.close();
  };
  return { received, send };
}

const mail = { subject: 'Your code – 日本', text: 'The code is 123456', html: '<p>123456</p>' };

test.each([
  [undefined, null],
  ['help@padlink.example', 'Reply-To: help@padlink.example'],
])('where replies go is set to %s', async (replyTo, header) => {
  const { received, send } = await startServer(replyTo ? { replyTo } : {});
  await send('ada@example.com', mail);
  expect(received[0]?.source.match(/^Reply-To:.*$/m)?.[0].trim() ?? null).toBe(header);
});

test('hands a mail over with its sender, its subject and both bodies', async () => {
  const { received, send } = await startServer();
  await send('ada@example.com', mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'hello@padlink.example', to: ['ada@example.com'] });
  const source = received[0]?.source ?? '';
  expect(source).toContain('From: Padlink <hello@padlink.example>');
  expect(source).toContain('Subject: =?UTF-8?');
  expect(source).toContain('The code is 123456');
  expect(source).toContain('<p>123456</p>');
});

test('an address with a comma is one address or none, never two', async () => {
  const { received, send } = await startServer();
  await send('ada@example.com, eve@example.com', mail).catch(() => {});
  expect(received.flatMap(({ to }) => to)).not.toContain('eve@example.com');
});

test('reaches a domain in any script, which every mail server knows by its plain form', async () => {
  const { received, send } = await startServer();
  await send('Ada@B\u00fccher.example', mail);
  // The server of the tests has made the plain form readable again.
  expect(received[0]).toMatchObject({ to: ['Ada@b\u00fccher.example'], smtpUtf8: false });
  expect(received[0]?.source).toContain('To: Ada@xn--bcher-kva.example');
  // As wide as Chinese signs are, it is the same domain.
  await send('Ada@\uff45xample.com', mail);
  expect(received[1]).toMatchObject({ to: ['Ada@example.com'], smtpUtf8: false });
});

test('leaves a name before the @ in its script to servers that know it', async () => {
  const { received, send } = await startServer();
  await send('m\u00fcller@example.com', mail);
  expect(received[0]).toMatchObject({ to: ['m\u00fcller@example.com'], smtpUtf8: true });
});

test('rejects what the server refuses, so that it can be tried again', async () => {
  const { received, send } = await startServer({ refuse: true });
  await expect(send('ada@example.com', mail)).rejects.toThrow('no such mailbox');
  expect(received).toEqual([]);
});

test('sends by TLS alone where it must, and says what to do where the server offers none', async () => {
  const open = await startServer({ requireTls: true });
  await expect(open.send('ada@example.com', mail)).rejects.toThrow(
    /no email is sent unencrypted: .* smtps:\/\/ or STARTTLS, or add \?requireTLS=false to SMTP_URL/,
  );
  expect(open.received).toEqual([]);
  close();
  const encrypted = await startServer({ requireTls: true, offersTls: true });
  await encrypted.send('ada@example.com', mail);
  expect(encrypted.received).toMatchObject([{ secure: true, to: ['ada@example.com'] }]);
});

import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import type { Database } from '../domain/tables.ts';
import type { PageRenderer } from './pages/render-page.ts';

interface Deps {
  db: Database;
  renderer: PageRenderer;
}

/** As /mailbox.json lists it. */
interface SentMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** ISO 8601. */
  sentAt: string;
}

const SHOWN = 200;
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** The mail that the local mode keeps instead of sending, for whoever sits at this machine. */
export function registerMailbox(app: FastifyInstance, { db, renderer }: Deps): void {
  app.get('/mailbox.json', async (request, reply) => {
    refuseRemote(request);
    return reply.header('cache-control', 'no-store').send(await listMessages(db));
  });
  app.get('/mailbox', async (request, reply) => {
    refuseRemote(request);
    return renderer.send(request, reply, {
      name: 'mailbox',
      data: { messages: await listMessages(db) },
    });
  });
}

async function listMessages(db: Database): Promise<SentMail[]> {
  const rows = await db
    .selectFrom('mailbox_message')
    .selectAll()
    .orderBy('sent_at', 'desc')
    .limit(SHOWN)
    .execute();
  return rows.map(({ to, subject, text, html, sent_at }) => ({
    to,
    subject,
    text,
    html,
    sentAt: new Date(sent_at).toISOString(),
  }));
}

/** A loopback peer, a loopback Host and no sign of a proxy in between; all others see nothing. */
function refuseRemote({ socket, headers }: FastifyRequest): void {
  const forwarded = FORWARDING.some((name) => headers[name] !== undefined);
  const local = isLoopback(socket.remoteAddress ?? '') && isLoopback(hostName(headers.host ?? ''));
  if (forwarded || !local) throw new DomainError('NOT_FOUND', 'There is nothing at this address.');
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

function isLoopback(name: string): boolean {
  if (isIP(name) === 0) return name === 'localhost';
  return name === '::1' || /^(::ffff:)?127\./.test(name);
}

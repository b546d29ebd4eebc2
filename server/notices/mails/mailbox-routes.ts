import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { MailboxMessage } from '../../../contract/page-context.ts';
import { LOOPBACK_HOST } from '../../edge/http/server.ts';
import type { PageRenderer } from '../../edge/pages/render-page.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';

const MAX_LISTED = 200;
const LOOPBACK_PEER = /^(::ffff:)?127\.|^::1$/;
const FORWARDING = /^(forwarded|via|x-forwarded-.+|x-real-ip)$/;

interface Context {
  db: Database;
  renderer: PageRenderer;
}

/** The mail of the local mode. Register it only where mail is kept instead of sent. */
export const mailboxRoutes: FastifyPluginAsync<Context> = async (app, { db, renderer }) => {
  app.addHook('onRequest', async (request) => assertLocalVisit(request));
  app.get('/mailbox.json', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return listMessages(db);
  });
  app.get('/mailbox', async (request, reply) =>
    renderer.send(request, reply, {
      name: 'mailbox',
      data: { messages: await listMessages(db) },
    }),
  );
};

/** Newest first. */
export async function listMessages(db: Database): Promise<MailboxMessage[]> {
  const messages = await db
    .selectFrom('mailbox_message')
    .select(['to', 'subject', 'text', 'html', 'sent_at'])
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return messages.map(({ sent_at, ...mail }) => ({ ...mail, sentAt: isoTime(sent_at) }));
}

/**
 * Admits only a browser on this machine: not a neighbor on the network, not a visitor behind a
 * proxy on this machine, not a foreign site whose name points to it.
 * @throws DomainError NOT_FOUND, as if there were no mailbox.
 */
export function assertLocalVisit({ socket, headers }: FastifyRequest): void {
  const isLocal =
    LOOPBACK_PEER.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING.test(name));
  if (!isLocal) throw new DomainError('NOT_FOUND', 'This page does not exist.');
}

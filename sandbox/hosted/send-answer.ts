import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentSecurityPolicy, type Page } from './document.ts';

/** Where a request leads: to a page of ours, or on to another address. */
export type Answer = Page | { location: string };

const policies = new WeakMap<FastifyReply, string>();

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('location' in answer) return reply.redirect(answer.location, 303);
  policies.set(reply, contentSecurityPolicy(answer.formTargets));
  return reply.code(answer.status).type('text/html; charset=utf-8').send(answer.markup);
}

/**
 * Sets the headers of these pages as the last of all hooks: the product's own policy, meant for its
 * own pages, would refuse their style and the way back after the payment.
 */
export function setHeadersLast(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': policies.get(reply) ?? contentSecurityPolicy([]),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });
}

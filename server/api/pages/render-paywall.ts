import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageRenderer } from './render-page.ts';
import { sendToAnyone } from './send-to-anyone.ts';

export interface PaywallError {
  status: number;
  /** In red, below the button. */
  message: string;
  hint?: string;
}

/** Answers a refused request of a paywall page with that page again, and what went wrong. */
export type RenderPaywall = (
  request: FastifyRequest,
  reply: FastifyReply,
  linkId: string,
  error: PaywallError,
) => Promise<FastifyReply>;

export function createRenderPaywall(renderer: PageRenderer): RenderPaywall {
  return (request, reply, id, { status, message, hint }) =>
    sendToAnyone(renderer, request, reply, {
      name: 'paywall',
      status,
      error: message,
      errorHint: hint,
      params: { id },
      path: `/p/${id}`,
    });
}

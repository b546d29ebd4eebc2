import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { LinkContext } from '../links/create-link.ts';
import { pinLink } from './pin-link.ts';

type Context = Pick<LinkContext, 'db' | 'now'>;

type PinRequest = FastifyRequest<{ Params: { handle: string } }>;

const pinForm = z.object({ id: z.string(), pinned: z.enum(['yes', 'no']) });

/** POST /s/{handle}/pin: the form on a seller's own page, which works without a script. */
export const sellerRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const config = { creatorsOnly: 'Sign in to pin links.', limit: { creator: 'writes' } } as const;
  app.post('/s/:handle/pin', { config }, async (request: PinRequest, reply) => {
    const form = pinForm.safeParse(request.body);
    if (!form.success) throw new DomainError('INVALID_INPUT', 'Say which link is to be pinned.');
    const { id, pinned } = form.data;
    await pinLink(context, { ownerId: request.creatorId, id, pinned: pinned === 'yes' });
    return reply.redirect(`/s/${encodeURIComponent(request.params.handle)}`, 303);
  });
};

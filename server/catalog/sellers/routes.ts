import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { pinLink } from './pin-link.ts';

type PinRequest = FastifyRequest<{ Params: { handle: string } }>;

const pinForm = z.object({ id: z.string(), pinned: z.enum(['yes', 'no']) });

/** POST /s/{handle}/pin: the form on a seller's own page, which works without a script. */
export const sellerRoutes: FastifyPluginAsync<DatabaseContext> = async (app, context) => {
  const config = { creatorsOnly: 'Sign in to pin links.', limit: { creator: 'writes' } } as const;
  app.post('/s/:handle/pin', { config }, async (request: PinRequest, reply) => {
    const form = pinForm.safeParse(request.body);
    if (!form.success) throw new DomainError('INVALID_INPUT', 'Say which link is to be pinned.');
    const { id, pinned } = form.data;
    await pinLink(context, { ownerId: request.creatorId, id, pinned: pinned === 'yes' });
    return reply.redirect(`/s/${encodeURIComponent(request.params.handle)}`, 303);
  });
};

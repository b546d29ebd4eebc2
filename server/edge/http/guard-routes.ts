import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { requireScope } from '../../ground/lib/viewer.ts';
import { addressKey, type LimitName, type RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Lets in only who manages links, by a session or a secret key to sell. Others are told this (401). */
    creatorsOnly?: string;
    /** Takes one for each request: of the creator who asks, or of the address. */
    limit?: { creator: LimitName } | { address: LimitName };
    /** What it refuses is shown by pages for buyers, in their language. */
    toBuyers?: true;
  }

  interface FastifyRequest {
    /** Whose links and files these are to manage, on a route of `creatorsOnly`. */
    creatorId: string;
  }
}

const admitted = Symbol('creator');

interface Admitted {
  [admitted]?: string;
}

/**
 * Keeps what routes say in their `config` of who may ask and how often: before their handlers, and
 * after the hooks that they have of their own. To be called before routes are registered.
 */
export function guardRoutes(app: FastifyInstance, limits: RateLimits): void {
  app.decorateRequest('creatorId', {
    getter(this: FastifyRequest & Admitted) {
      const creatorId = this[admitted];
      if (creatorId === undefined) throw new Error('This route is not one of creatorsOnly.');
      return creatorId;
    },
  });

  app.addHook('onRoute', (route) => {
    const { creatorsOnly, limit } = route.config ?? {};
    if (limit && 'creator' in limit && creatorsOnly === undefined) {
      throw new Error(`${route.url} counts by creator, but is not one of creatorsOnly.`);
    }
    const guards: preHandlerAsyncHookHandler[] = [];
    if (creatorsOnly !== undefined) {
      guards.push(async (request: FastifyRequest & Admitted) => {
        request[admitted] = requireScope(await request.viewer(), 'sell', creatorsOnly);
      });
    }
    if (limit !== undefined) {
      guards.push(async (request) => {
        if ('creator' in limit) await limits.take(limit.creator, request.creatorId);
        else await limits.take(limit.address, addressKey(request.ip));
      });
    }
    if (guards.length > 0) route.preHandler = [route.preHandler ?? [], guards].flat();
  });
}

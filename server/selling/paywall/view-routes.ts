import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { readSource } from '../../../contract/sources.ts';
import type { ViewCounter } from '../../books/statistics/view-counter.ts';
import { findLink } from '../../catalog/links/queries.ts';
import { addressKey, RateLimited, type RateLimits } from '../../edge/http/rate-limits.ts';
import type { Database } from '../../ground/database/tables.ts';

interface Context {
  db: Database;
  views: ViewCounter;
  limits: RateLimits;
}

type ViewRequest = FastifyRequest<{ Params: { id: string }; Querystring: { from?: unknown } }>;

/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Not the phones of that name. */
const ROBOT = /(?<!cu)bot\b|crawl|spider|preview|facebookexternalhit/i;

/**
 * The image of a paywall page by which its views are counted: documents come from memory and are
 * fetched ahead, an image is loaded when somebody looks, also without JavaScript.
 */
export const viewRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get('/p/:id/view.gif', async (request: ViewRequest, reply) => {
    await countView(context, request).catch((error: unknown) => {
      if (!(error instanceof RateLimited))
        request.log.warn({ err: error }, 'a view was not counted');
    });
    return reply.type('image/gif').header('cache-control', 'no-store').send(PIXEL);
  });
};

async function countView(context: Context, request: ViewRequest): Promise<void> {
  const { method, headers, ip, params, query } = request;
  const agent = headers['user-agent'] ?? '';
  const isAhead = /prefetch|prerender/.test(String(headers['sec-purpose'] ?? ''));
  if (method !== 'GET' || isAhead || ROBOT.test(agent)) return;
  const address = addressKey(ip);
  await context.limits.take('views', address);
  const link = await findLink(context.db, params.id);
  if (!link || link.deleted_at !== null || link.taken_down_at !== null) return;
  const { creatorId } = await request.viewer();
  if (creatorId === link.owner_id) return;
  const source = readSource(query.from);
  context.views.count({ linkId: link.id, ownerId: link.owner_id, address, agent, source });
}

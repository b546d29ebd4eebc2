import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { seenText } from '../../../contract/characters.ts';
import type { Said } from '../../../contract/fact.ts';
import type { ReportPageData } from '../../../contract/page-context.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { findLink, isOffered } from '../../catalog/links/queries.ts';
import { setRetryAfter, toProblem } from '../../edge/http/errors.ts';
import type { RateLimits } from '../../edge/http/rate-limits.ts';
import type { PageRenderer } from '../../edge/pages/render-page.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { reportLink } from './report-link.ts';

interface Context extends DatabaseContext {
  renderer: PageRenderer;
  limits: RateLimits;
}

type ReportRequest = FastifyRequest<{
  Params: { id: string };
  Querystring: { sent?: string };
  Body: Record<string, string> | undefined;
}>;

const PATH = '/p/:id/report';

/** A visitor's report of a link: a form, without an account and without JavaScript. */
export const moderationRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { db, renderer, limits } = context;

  async function show(
    request: ReportRequest,
    reply: FastifyReply,
    shown: Partial<ReportPageData> & { status?: number; error?: Said } = {},
  ) {
    const { status = 200, error, ...typed } = shown;
    const { id } = request.params;
    const link = await findLink(db, id);
    if (!link || !isOffered(link)) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    const isSent = request.query.sent !== undefined;
    const blank = { reason: '', words: '', email: '' };
    const data = { id, title: seenText(link.title), isSent, ...blank, ...typed };
    const page = { name: 'report', data, status } as const;
    return renderer.send(request, reply, { ...page, ...(error !== undefined && { error }) });
  }

  app.get(PATH, (request: ReportRequest, reply) => show(request, reply));

  const limited = { config: { limit: { address: 'reports' } } } as const;
  app.post(PATH, limited, async (request: ReportRequest, reply) => {
    const { id: linkId } = request.params;
    const { reason = '', words = '', email = '' } = request.body ?? {};
    try {
      const giveBack = await limits.take('reportsOfLink', linkId);
      const reported = reportLink(context, { linkId, reason, words, email });
      await reported.catch((error: unknown) => {
        giveBack();
        throw error;
      });
    } catch (error) {
      const { status, said } = toProblem(error);
      if (status >= 500 || status === 404) throw error;
      setRetryAfter(reply, error);
      return show(request, reply, { status, error: said, reason, words, email });
    }
    return reply.redirect(`/p/${linkId}/report?sent=yes`, 303);
  });
};

import type { FastifyPluginAsync } from 'fastify';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { AccessGrant } from '../../selling/purchases/tables.ts';
import { findGrantOf, type GrantTicket, wantVersions } from './personal-link.ts';
import type { MailedPageContext, MailedPageRequest } from './routes.ts';

type Context = Pick<MailedPageContext<GrantTicket>, 'db' | 'signer' | 'renderer'>;
type UpdatesRequest = MailedPageRequest<{ wanted?: string }>;

/**
 * The buyer's choice to be mailed about new versions. A GET, as mail scanners send it, changes
 * nothing; a POST without more, as mail programs send it for List-Unsubscribe, ends them.
 */
export const updatesRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { db, renderer } = context;

  // Mail programs send a form of either kind: the address says everything.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, parsed) => parsed(null));

  app.get('/updates/:token', async (request: UpdatesRequest, reply) => {
    const grant = await findGrant(request.params.token);
    const step = grant.wants_versions ? 'no-updates' : 'updates';
    return renderer.send(request, reply, { name: 'access', data: { step } });
  });

  const limited = { config: { limit: { address: 'personalLinksOpened' } } } as const;
  app.post('/updates/:token', limited, async (request: UpdatesRequest, reply) => {
    const { purchase_id } = await findGrant(request.params.token);
    const isWanted = request.query.wanted === 'yes';
    await wantVersions(db, purchase_id, isWanted);
    const step = isWanted ? 'no-updates' : 'updates';
    return renderer.send(request, reply, { name: 'access', data: { step, isChanged: true } });
  });

  async function findGrant(token: string): Promise<AccessGrant> {
    const grant = await findGrantOf(context, token);
    if (grant) return grant;
    const why = 'This link is incomplete. Copy all of it from your email.';
    throw new DomainError('ACCESS_LINK_INVALID', why);
  }
};

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { setRetryAfter, toProblem } from '../../edge/http/errors.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import {
  resendHeldReceipt,
  resendReceiptsOfBrowser,
} from '../../selling/purchases/resend-receipt.ts';
import {
  askForPurchases,
  forgetBrowser,
  openPurchases,
  type PurchasesTicket,
  readPurchasesLink,
} from './find-purchases.ts';
import type { MailedPageContext, MailedPageRequest } from './routes.ts';

type Form = Record<string, string> | undefined;

const PATH = '/purchases';
const EXPIRED =
  'This link is incomplete, or it has expired: it works for an hour. Enter your address to get a new one.';

/** The forms of the purchases page, and the link to it that is mailed: a GET changes nothing. */
export const purchasesRoutes: FastifyPluginAsync<MailedPageContext<PurchasesTicket>> = async (
  app,
  context,
) => {
  const { db, claimCookie, renderer } = context;

  /** The page again, with what was wrong. */
  function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, askedFor?: string) {
    const { status, said } = toProblem(error);
    if (status >= 500) throw error;
    setRetryAfter(reply, error);
    const page = { name: 'purchases', path: PATH, askedFor } as const;
    return renderer.send(request, reply, { ...page, status, error: said });
  }

  const expired = () => new DomainError('ACCESS_LINK_INVALID', EXPIRED);

  app.post(PATH, limited('purchasesAsked'), async (request, reply) => {
    const askedFor = `${(request.body as Form)?.email ?? ''}`.trim();
    try {
      await askForPurchases(context, askedFor);
    } catch (error) {
      return refuse(request, reply, error, askedFor);
    }
    // Not a redirect: an address in an address bar gets into histories and logs.
    return renderer.send(request, reply, { name: 'purchases', askedFor, path: PATH });
  });

  app.get('/purchases/open/:token', async (request: MailedPageRequest, reply) => {
    if (!readPurchasesLink(context, request.params.token)) {
      return refuse(request, reply, expired());
    }
    return renderer.send(request, reply, { name: 'access', data: { step: 'open-all' } });
  });

  app.post(
    '/purchases/open/:token',
    limited('personalLinksOpened'),
    async (request: MailedPageRequest, reply) => {
      const ticket = readPurchasesLink(context, request.params.token);
      if (!ticket) return refuse(request, reply, expired());
      const claimHash = await claimCookie.ensure(request, reply);
      await openPurchases(context, { ticket, claimHash });
      return reply.redirect(PATH, 303);
    },
  );

  app.post('/purchases/receipt', limited('receiptsAsked'), async (request, reply) => {
    const { id = '', after = '' } = (request.body as Form) ?? {};
    try {
      await resendHeldReceipt({ ...context, viewer: await request.viewer() }, id);
    } catch (error) {
      return refuse(request, reply, error);
    }
    const place = new URLSearchParams({ ...(after && { after }), sent: id });
    return reply.redirect(`${PATH}?${place}`, 303);
  });

  app.post('/purchases/receipts', limited('receiptsAsked'), async (request, reply) => {
    const { claimHash } = await request.viewer();
    try {
      if (claimHash) await resendReceiptsOfBrowser(context, claimHash);
    } catch (error) {
      return refuse(request, reply, error);
    }
    return reply.redirect(`${PATH}?forget=ask&sent=all`, 303);
  });

  app.post('/purchases/forget', async (request, reply) => {
    const { claimHash } = await request.viewer();
    if (claimHash) await forgetBrowser(db, claimHash);
    claimCookie.forget(reply);
    return reply.redirect(`${PATH}?forgotten=yes`, 303);
  });
};

const limited = (address: 'purchasesAsked' | 'personalLinksOpened' | 'receiptsAsked') =>
  ({ config: { limit: { address } } }) as const;

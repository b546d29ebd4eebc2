import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LINK_ID_PATTERN } from '../../contract/limits.ts';
import { TEXTS } from '../../contract/texts.ts';
import { DomainError } from '../domain/domain-error.ts';
import { type CheckoutContext, startCheckout } from '../domain/purchases/start-checkout.ts';
import type { ClaimCookie } from './claim-cookie.ts';
import { toProblem } from './error-mapping.ts';
import type { FindViewer } from './find-viewer.ts';
import { addressKey, RateLimited, type RateLimits } from './rate-limits.ts';

interface Deps {
  context: CheckoutContext;
  claimCookie: ClaimCookie;
  findViewer: FindViewer;
  limits: RateLimits;
  /** Answers a refused form post with the paywall page again, the message in red. */
  renderPaywall(
    request: FastifyRequest,
    reply: FastifyReply,
    linkId: string,
    error: { status: number; message: string },
  ): Promise<FastifyReply>;
}

/** POST /prod/checkout: JSON answers {url}, a plain form is led to the provider's page. */
export function registerCheckout(app: FastifyInstance, deps: Deps): void {
  app.post('/prod/checkout', { bodyLimit: 4_096 }, async (request, reply) => {
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (isForm) return answerForm(deps, request, reply);
    const url = await begin(deps, request, reply, readLinkId(request.body));
    return reply.header('cache-control', 'no-store').send({ url });
  });
}

async function answerForm(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const linkId = readLinkId(request.body);
  try {
    const url = await begin(deps, request, reply, linkId);
    if (url) return reply.redirect(url, 303);
    return deps.renderPaywall(request, reply, linkId, {
      status: 502,
      message: TEXTS.checkoutUrlMissing,
    });
  } catch (error) {
    if (error instanceof RateLimited) reply.header('retry-after', error.retryAfter);
    const { status } = toProblem(error);
    if (status >= 500) request.log.error({ err: error }, 'a checkout failed');
    const spoken = error instanceof DomainError && error.code !== 'CHECKOUT_UNAVAILABLE';
    const message = spoken ? error.message : TEXTS.unlockFailed;
    return deps.renderPaywall(request, reply, linkId, { status, message });
  }
}

async function begin(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  linkId: string,
): Promise<string | null> {
  await deps.limits.take('checkoutsOfAddress', addressKey(request.ip));
  const viewer = await deps.findViewer(request);
  const claimHash = await deps.claimCookie.ensure(request, reply);
  await deps.limits.take('checkouts', claimHash);
  const offer = await startCheckout(deps.context, linkId, { ...viewer, claimHash }, claimHash);
  return offer.kind === 'checkout' ? offer.url : `${deps.context.publicUrl}/p/${linkId}`;
}

function readLinkId(body: unknown): string {
  const { paywallId } = (body ?? {}) as { paywallId?: unknown };
  if (typeof paywallId !== 'string') {
    throw new DomainError('INVALID_INPUT', 'Send {"paywallId": "…"} with the id of a link.');
  }
  if (!LINK_ID_PATTERN.test(paywallId)) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
  return paywallId;
}

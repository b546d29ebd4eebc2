import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_GIFT_MESSAGE_LENGTH } from '../../../contract/limits.ts';
import { dollarsToCents } from '../../../contract/money.ts';
import { readSource } from '../../../contract/sources.ts';
import { CHECKOUT_FAILED, TEXTS } from '../../../contract/texts.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { isFault, setRetryAfter, toProblem } from '../../edge/http/errors.ts';
import { addressKey, type RateLimits } from '../../edge/http/rate-limits.ts';
import { describeUnlockFailure, type RenderPaywall } from '../../edge/pages/error-pages.ts';
import { deviceOf } from '../../ground/lib/describe-device.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { languageOf } from '../../ground/lib/language.ts';
import type { ClaimCookie } from '../access/claim-cookie.ts';
import { readTypedCode } from '../discounts/typed-code.ts';
import type { CheckoutContext, CheckoutParty } from '../purchases/context.ts';
import { readGift } from '../purchases/gifts.ts';
import { waitAtMost } from './refresh-checkout.ts';
import { startCheckout } from './start-checkout.ts';

/**
 * After this long, a visitor is told that the provider does not respond. Another attempt finds the
 * outcome.
 */
const WAIT_MS = 10_000;

export interface CheckoutRoutesContext extends CheckoutContext {
  /** False when an operator left the checkout's endpoint out. */
  configured: boolean;
  claimCookie: ClaimCookie;
  limits: RateLimits;
  renderPaywall: RenderPaywall;
}

/**
 * POST /prod/checkout: JSON answers {url}, a plain form is led to the provider's page.
 * POST /p/{id}: that page with a discount code, for the form of a gift, whose fields no address holds.
 */
export const checkoutRoutes: FastifyPluginAsync<CheckoutRoutesContext> = async (app, context) => {
  app.post(
    '/prod/checkout',
    { bodyLimit: 8_192, config: { api: CALL, toBuyers: true } },
    async (request, reply) => {
      const wish = readBody(request.body);
      const isForm = request.headers['content-type']?.startsWith(
        'application/x-www-form-urlencoded',
      );
      if (isForm) return answerForm(context, request, reply, wish);
      const url = await begin(context, request, reply, wish);
      return reply.header('cache-control', 'no-store').send({ url });
    },
  );
  app.post('/p/:id', { bodyLimit: 8_192 }, (request: PaywallRequest, reply) => {
    const typed = OFFER.safeParse(request.body);
    if (!typed.success) throw new DomainError('INVALID_INPUT', 'Send the fields of the page.');
    const { code, from, giftEmail: email, giftMessage: message } = typed.data;
    const gift = { email, message };
    return context.renderPaywall(request, reply, request.params.id, {
      from: readSource(from),
      code,
      gift,
    });
  });
};

type PaywallRequest = FastifyRequest<{ Params: { id: string } }>;

async function answerForm(
  context: CheckoutRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  wish: Wish,
): Promise<FastifyReply> {
  const { linkId, source: from, code, typedGift: gift } = wish;
  try {
    const url = await begin(context, request, reply, wish);
    if (url) return reply.redirect(url, 303);
    const error = { status: 502, message: TEXTS.checkoutUrlMissing };
    return context.renderPaywall(request, reply, linkId, { ...error, from, code, gift });
  } catch (error) {
    setRetryAfter(reply, error);
    const answer = describeUnlockFailure(error, SPOKEN);
    if (isFault(toProblem(error))) request.log.error({ err: error }, CHECKOUT_FAILED);
    return context.renderPaywall(request, reply, linkId, { ...answer, from, code, gift });
  }
}

/** What the page has words of its own for, where it has JavaScript. */
const SPOKEN = [
  'LINK_NOT_FOUND',
  'CHECKOUT_NOT_CONFIGURED',
  'ACCESS_SUSPENDED',
  'DISCOUNT_REFUSED',
  'INVALID_PRICE',
  'NOT_ON_SALE',
  'GIFT_REFUSED',
] as const;

async function begin(
  context: CheckoutRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { linkId, key, code, typedPrice, source, typedGift }: Wish,
): Promise<string | null> {
  if (!context.configured) throw new DomainError('CHECKOUT_NOT_CONFIGURED', TEXTS.endpointMissing);
  const address = addressKey(request.ip);
  await context.limits.take('checkoutsOfAddress', address);
  const viewer = await request.viewer();
  const claimHash = await context.claimCookie.ensure(request, reply, key);
  await context.limits.take('checkouts', claimHash, address);
  const party = { viewer: { ...viewer, claimHash }, device: describeBuyer(request) };
  const started = startCheckout(context, {
    linkId,
    ...party,
    source,
    code: readTypedCode(context.limits, code, { address, claimHash }),
    namedCents: readPrice(typedPrice),
    gift: typedGift ? readGift(typedGift) : null,
  });
  const offer = await waitAtMost(WAIT_MS, started, silent);
  if (offer.kind === 'checkout') return offer.url;
  const page = `${context.publicUrl}/p/${linkId}`;
  return offer.kind === 'free' ? `${page}/content${offer.isArchive ? '.zip' : ''}` : page;
}

/** Whoever checks out, as far as a request tells. */
export function describeBuyer(request: FastifyRequest): CheckoutParty['device'] {
  const { headers, ip } = request;
  const visit = { address: addressKey(ip), agent: headers['user-agent'] ?? '' };
  return { ...deviceOf(request), language: languageOf(headers), visit };
}

function silent(): never {
  throw new DomainError(
    'CHECKOUT_UNAVAILABLE',
    'The payment provider is not responding. Nothing was charged. Please try again in a moment.',
  );
}

const BODY = z.object({
  paywallId: z.string().describe('The id of a link.'),
  key: z
    .string()
    .min(20)
    .max(100)
    .nullish()
    .describe(
      'Random text that nobody can guess: for a minute, checkouts without a cookie that have the same are of one browser.',
    ),
  code: z.string().nullish().describe("A discount code; null and '' are none."),
  amount: z
    .string()
    .nullish()
    .describe('Dollars as a person types them, where the link lets buyers name the price.'),
  from: z
    .string()
    .nullish()
    .describe('Where the buyer came from, as the page of the link says it.'),
  gift: z
    .object({
      email: z.string().describe('Where the personal link is sent once it is paid.'),
      message: z
        .string()
        .nullish()
        .describe(`Text of up to ${MAX_GIFT_MESSAGE_LENGTH} characters, without addresses.`),
    })
    .nullish()
    .describe('Whom it is given to; the buyer gets a receipt, and no access.'),
});

/** As the forms of the page have it; what is empty says nothing. */
const FORM = z.object({
  giftEmail: z.string().catch(''),
  giftMessage: z.string().catch(''),
});

const OFFER = FORM.extend({ code: z.string(), from: z.string().optional() });

const CALL: ApiCall = {
  name: 'startCheckout',
  summary: 'Begins a checkout; a person pays at the address that it answers with.',
  caller: 'viewer',
  body: BODY,
  answers: {
    200: {
      says: 'Where to pay, or the content, where nothing has to be paid.',
      json: z.object({ url: z.string().nullable() }),
      headers: { 'set-cookie': 'The claim that the purchase will belong to: keep it.' },
    },
  },
};

/** What a buyer asks for. */
type Wish = ReturnType<typeof readBody>;

function readBody(body: unknown) {
  const parsed = BODY.safeParse(body);
  if (!parsed.success) {
    throw new DomainError('INVALID_INPUT', 'Send {"paywallId": "…"} with the id of a link.');
  }
  const { paywallId: linkId, key = null, code, amount, from, gift } = parsed.data;
  const { giftEmail: email, giftMessage: message } = FORM.parse(body);
  return {
    linkId,
    key,
    code: code || undefined,
    /** Dollars; undefined for the suggested price. */
    typedPrice: amount ?? undefined,
    source: readSource(from),
    typedGift: gift ?? (email.trim() || message.trim() ? { email, message } : undefined),
  };
}

/** @throws DomainError INVALID_PRICE */
export function readPrice(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const [, dollars] = /^\s*\$?\s*(\d{1,6}(?:[.,]\d{1,2})?)\s*$/.exec(typed) ?? [];
  if (dollars !== undefined) return dollarsToCents(Number(dollars.replace(',', '.')));
  throw new DomainError('INVALID_PRICE', 'Enter a price in dollars, such as 5 or 4.99.');
}

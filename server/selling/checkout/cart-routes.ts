import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { seenText } from '../../../contract/characters.ts';
import type { Said } from '../../../contract/fact.ts';
import type { CartPageData } from '../../../contract/page-context.ts';
import { readSource } from '../../../contract/sources.ts';
import { CHECKOUT_FAILED, TEXTS } from '../../../contract/texts.ts';
import { faceOf } from '../../catalog/links/cover.ts';
import type { LinkReaders } from '../../catalog/links/queries.ts';
import { isFault, setRetryAfter, toProblem } from '../../edge/http/errors.ts';
import { addressKey } from '../../edge/http/rate-limits.ts';
import { describeUnlockFailure } from '../../edge/pages/error-pages.ts';
import type { PageRenderer } from '../../edge/pages/render-page.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readTypedCode } from '../discounts/typed-code.ts';
import { refusedGift } from '../purchases/gifts.ts';
import { addToCart, type Cart, type CartOwner, readCart, removeFromCart } from './cart.ts';
import { checkOutCart, tellSeen } from './check-out-cart.ts';
import { type CheckoutRoutesContext, describeBuyer, readPrice } from './routes.ts';

interface Context extends CheckoutRoutesContext, Pick<LinkReaders, 'findSeller'> {
  renderer: PageRenderer;
}

const PATH = '/cart';

const WISH = z.object({
  paywallId: z.string(),
  code: z.string().optional(),
  amount: z.string().optional(),
  from: z.string().optional(),
  giftEmail: z.string().optional(),
  giftMessage: z.string().optional(),
});
const SEEN = z.object({ seen: z.string() });

/** The cart of a browser, and its plain forms. */
export const cartRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { claimCookie, limits } = context;

  const readLimit = { config: { limit: { address: 'cartsOfAddress' } } } as const;
  app.get(PATH, readLimit, (request, reply) => show(context, request, reply, {}));

  const limited = {
    config: { limit: { address: 'cartItemsOfAddress' } },
    bodyLimit: 4_096,
  } as const;
  app.post(`${PATH}/add`, limited, async (request, reply) => {
    const { paywallId: linkId, code, amount, from, ...typed } = read(WISH, request.body);
    const gift = typed.giftEmail?.trim()
      ? { email: typed.giftEmail, message: typed.giftMessage }
      : undefined;
    try {
      if (gift) throw refusedGift('A gift is bought by itself. Press Unlock Now.');
      const owner = await ownerOf(request, await claimCookie.ensure(request, reply));
      const { claimHash } = owner;
      await addToCart(context, owner, {
        code: readTypedCode(limits, code, { address: addressKey(request.ip), claimHash }),
        linkId,
        namedCents: readPrice(amount),
        source: readSource(from),
      });
    } catch (error) {
      setRetryAfter(reply, error);
      const refusal = describeUnlockFailure(error, SPOKEN);
      const shown = { ...refusal, from: readSource(from), code, gift };
      return context.renderPaywall(request, reply, linkId, shown);
    }
    return reply.redirect(PATH, 303);
  });

  app.post(`${PATH}/remove`, { bodyLimit: 4_096 }, async (request, reply) => {
    const { paywallId } = read(WISH, request.body);
    const claimHash = claimCookie.read(request);
    if (claimHash) await removeFromCart(context.db, claimHash, paywallId);
    return reply.redirect(PATH, 303);
  });

  app.post(`${PATH}/checkout`, { bodyLimit: 4_096 }, async (request, reply) => {
    const { seen } = read(SEEN, request.body);
    try {
      if (!context.configured) {
        throw new DomainError('CHECKOUT_NOT_CONFIGURED', TEXTS.endpointMissing);
      }
      const claimHash = claimCookie.read(request);
      if (!claimHash) return reply.redirect(PATH, 303);
      const address = addressKey(request.ip);
      await limits.take('checkoutsOfAddress', address);
      await limits.take('checkouts', claimHash, address);
      const owner = await ownerOf(request, claimHash);
      const device = describeBuyer(request);
      const offer = await checkOutCart(context, { owner, device, seen });
      if (offer.kind === 'changed') {
        return show(context, request, reply, { status: 409, error: CHANGED });
      }
      if (offer.kind === 'unlocked') return reply.redirect('/purchases', 303);
      if (offer.url) return reply.redirect(offer.url, 303);
      return show(context, request, reply, { status: 502, error: TEXTS.checkoutUrlMissing });
    } catch (error) {
      setRetryAfter(reply, error);
      const problem = toProblem(error);
      if (isFault(problem)) request.log.error({ err: error }, CHECKOUT_FAILED);
      return show(context, request, reply, { status: problem.status, error: problem.said });
    }
  });
};

async function ownerOf(request: FastifyRequest, claimHash: string): Promise<CartOwner> {
  return { ...(await request.viewer()), claimHash };
}

/** The page, with what was wrong. */
async function show(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, error }: { status?: number; error?: Said },
): Promise<FastifyReply> {
  const claimHash = context.claimCookie.read(request);
  const cart = claimHash
    ? await readCart(context, await ownerOf(request, claimHash))
    : { lines: [], payable: [], totalCents: 0, problem: null };
  return context.renderer.send(request, reply, {
    name: 'cart',
    path: PATH,
    data: await present(context, cart),
    cart: cart.lines.length,
    status,
    error: error ?? cart.problem ?? undefined,
  });
}

const CHANGED =
  'Something in your cart has changed. Nothing was charged. Review your cart, then check out.';

/** What the paywall page has words of its own for. */
const SPOKEN = [
  'LINK_NOT_FOUND',
  'DISCOUNT_REFUSED',
  'INVALID_PRICE',
  'INVALID_INPUT',
  'GIFT_REFUSED',
] as const;

function read<Body>(shape: z.ZodType<Body>, body: unknown): Body {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new DomainError('INVALID_INPUT', 'Use the forms of the cart.');
}

async function present({ findSeller }: Context, cart: Cart): Promise<CartPageData> {
  const sellers = await Promise.all(
    cart.lines.map(({ link }) => (link ? findSeller(link.owner_id) : null)),
  );
  const sum = (nets: number[]) => nets.reduce((total, cents) => total + cents, 0);
  return {
    lines: cart.lines.map(({ item, link, quote, problem, refusal }, index) => ({
      linkId: item.link_id,
      title: seenText(link?.title ?? null),
      face: link && faceOf(link),
      sellerName: sellers[index]?.name ?? null,
      price: quote?.agreedCents ?? null,
      listPrice: quote?.discount ? quote.listCents : null,
      seenPrice: quote && quote.agreedCents !== item.seen_cents ? item.seen_cents : null,
      problem,
      refusal,
    })),
    total: cart.totalCents,
    count: cart.payable.length,
    sellers: new Set(cart.payable.map(({ link }) => link.owner_id)).size,
    net: {
      together: sum(cart.payable.map(({ quote }) => quote.netCents)),
      apart: sum(cart.lines.map(({ quote }) => quote?.netCents ?? 0)),
    },
    seen: cart.payable.length > 0 ? tellSeen(cart) : null,
  };
}

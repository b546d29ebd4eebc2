import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { firstCheckoutOf, isKnownClaim } from '../purchases/queries.ts';

/** Browsers keep a cookie for 400 days at the most. */
const LIFETIME_S = 400 * 24 * 60 * 60;

export interface ClaimCookie {
  name: string;
  /** SHA-256 of the visitor's claim, hex, or null. */
  read(request: Pick<FastifyRequest, 'cookies'>): string | null;
  /**
   * The visitor's claim hash; gives the browser a new claim when it has none of ours.
   * @param key of a checkout: two first ones at once with the same key get the same claim
   */
  ensure(request: FastifyRequest, reply: FastifyReply, key?: string | null): Promise<string>;
  /** Takes the claim from the browser. */
  forget(reply: FastifyReply): void;
}

interface Context extends DatabaseContext {
  publicUrl: string;
  /** Of its own use: claims are made of keys with it. */
  secret: string;
}

/**
 * For so long after its first checkout a key leads to its claim. Later ones get another: whoever
 * finds the key in a browser is not to hold what was bought by it.
 */
export const KEY_LIFETIME_MS = 60 * 1000;

/** Secure and the __Host- prefix exactly on https: a LAN address without it must work too. */
export function createClaimCookie({ db, publicUrl, secret, now }: Context): ClaimCookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-padlink_claim' : 'padlink_claim';
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const read = (request: Pick<FastifyRequest, 'cookies'>) => hashClaim(request.cookies[name]);
  const findClaim = async (key: string) => {
    const claim = createHmac('sha256', secret).update(key).digest('base64url');
    const hash = hashClaim(claim) as string;
    // Asked first: another one of the browser may be the first to begin in between.
    const isKnown = await isKnownClaim(db, hash);
    const begunAt = await firstCheckoutOf(db, hash);
    // Its first checkout may have been swept: what was given to the claim is not.
    if (begunAt === null) return isKnown ? null : claim;
    return now() - begunAt < KEY_LIFETIME_MS ? claim : null;
  };
  return {
    name,
    read,
    async ensure(request, reply, key = null) {
      const held = read(request);
      // A second checkout keeps the older claim. One that we never gave out is not adopted:
      // whoever planted it would share the purchase.
      if (held && (await isKnownClaim(db, held))) return held;
      const claim = (key && (await findClaim(key))) || newClaim();
      reply.setCookie(name, claim, { ...attributes, maxAge: LIFETIME_S });
      return hashClaim(claim) as string;
    },
    forget(reply) {
      reply.clearCookie(name, attributes);
    },
  };
}

/** 256 bits of randomness: the browser's proof that it began a checkout. Kept only as a hash. */
const CLAIM_BYTES = 32;
const CLAIM_PATTERN = /^[A-Za-z0-9_-]{43}$/;

function newClaim(): string {
  return randomBytes(CLAIM_BYTES).toString('base64url');
}

/** SHA-256 of a claim, hex; null for a malformed one. */
function hashClaim(claim: string | undefined): string | null {
  if (!claim || !CLAIM_PATTERN.test(claim)) return null;
  return createHash('sha256').update(claim).digest('hex');
}

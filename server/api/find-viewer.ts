import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { User, Viewer } from '../domain/accounts/viewer.ts';
import type { ClaimCookie } from './claim-cookie.ts';

/** The part of a request that says who asks. */
export type Asking = Pick<FastifyRequest, 'headers' | 'cookies'>;

export type FindViewer = (request: Asking) => Promise<Viewer>;

/** A visitor of whom nothing is known. */
export const GUEST: Viewer = { authority: 'reader', creatorId: null, user: null, claimHash: null };

interface Deps {
  claimCookie: ClaimCookie;
  /** The creator whose secret key this is. */
  findKeyOwner(secret: string): Promise<string | null>;
  /** The user of a bearer token or session cookie. */
  readSession(headers: IncomingHttpHeaders): Promise<User | null>;
  publishableKey: string;
  serviceKey: string | null;
}

/** Other schemes belong to a proxy in front. */
const BEARER = /^bearer /i;

/**
 * Authority is the first that is present: bearer token, secret key, session cookie, publishable
 * key (design §9). A key or token that is present but wrong gives none: it is not passed over.
 */
export function createFindViewer(deps: Deps): FindViewer {
  return async (request) => {
    const claimHash = deps.claimCookie.read(request);
    const none: Viewer = { authority: 'none', creatorId: null, user: null, claimHash };
    const signedIn = (user: User): Viewer => ({
      ...none,
      authority: 'creator',
      creatorId: user.id,
      user,
    });
    const { authorization, cookie } = request.headers;
    const key = request.headers['x-api-key'];
    if (authorization && BEARER.test(authorization)) {
      const user = await deps.readSession({ authorization });
      return user ? signedIn(user) : none;
    }
    const publishable = typeof key === 'string' && sameText(key, deps.publishableKey);
    if (typeof key === 'string' && !publishable) {
      const isService = deps.serviceKey !== null && sameText(key, deps.serviceKey);
      if (isService) return { ...none, authority: 'operator' };
      const creatorId = await deps.findKeyOwner(key);
      return creatorId !== null ? { ...none, authority: 'creator', creatorId } : none;
    }
    const user = cookie ? await deps.readSession({ cookie }) : null;
    if (user) return signedIn(user);
    return publishable ? { ...none, authority: 'reader' } : none;
  };
}

/** A page view needs no key: whoever opens a page may read what it shows. */
export function asPageViewer(viewer: Viewer): Viewer {
  return viewer.authority === 'none' ? { ...viewer, authority: 'reader' } : viewer;
}

function sameText(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}

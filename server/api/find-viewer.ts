import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { User, Viewer } from '../domain/accounts/viewer.ts';
import type { ClaimCookie } from './claim-cookie.ts';
import { isBearer, isSecretKey, sameText } from './credentials.ts';

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

/**
 * Authority is the first that is present: bearer token, secret key, session cookie, publishable
 * key. A key or token that is present but wrong gives none: whoever sends one means it, and would
 * not notice that something else spoke for them.
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
    if (isBearer(authorization)) {
      const user = await deps.readSession({ authorization });
      return user ? signedIn(user) : none;
    }
    const key = request.headers['x-api-key'];
    if (isSecretKey(key, deps.publishableKey)) {
      const isService = deps.serviceKey !== null && sameText(key, deps.serviceKey);
      if (isService) return { ...none, authority: 'operator' };
      const creatorId = await deps.findKeyOwner(key);
      return creatorId !== null ? { ...none, authority: 'creator', creatorId } : none;
    }
    const user = cookie ? await deps.readSession({ cookie }) : null;
    if (user) return signedIn(user);
    return typeof key === 'string' ? { ...none, authority: 'reader' } : none;
  };
}

/** A page view needs no key: whoever opens a page may read what it shows. */
export function asPageViewer(viewer: Viewer): Viewer {
  return viewer.authority === 'none' ? { ...viewer, authority: 'reader' } : viewer;
}

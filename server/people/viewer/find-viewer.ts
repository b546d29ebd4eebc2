import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isBearer, isSecretKey, sameText } from '../../edge/http/credentials.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { type FindViewer, GUEST, type User, type Viewer } from '../../ground/lib/viewer.ts';
import type { ClaimCookie } from '../../selling/access/claim-cookie.ts';
import { findSecretKey, recordKeyUse, scopesOf } from '../accounts/secret-keys.ts';

interface Context extends DatabaseContext {
  claimCookie: ClaimCookie;
  /** The user of a bearer token or session cookie. */
  readSession(headers: IncomingHttpHeaders): Promise<User | null>;
  publishableKey: string;
  serviceKey: string | null;
  /** Told when the use of a key could not be noted. */
  notRecorded(error: unknown): void;
}

/**
 * Authority is the first that is present: bearer token, secret key, session cookie, publishable
 * key. A key or token that is present but wrong gives none: whoever sends one means it, and would
 * not notice that something else spoke for them.
 */
export function createFindViewer(context: Context): FindViewer {
  return async (request) => {
    const claimHash = context.claimCookie.read(request);
    const none: Viewer = { ...GUEST, authority: 'none', claimHash };
    const signedIn = (user: User): Viewer => ({
      ...none,
      authority: 'creator',
      creatorId: user.id,
      may: { read: user.id, sell: user.id, refund: user.id },
      user,
    });
    const { authorization, cookie } = request.headers;
    if (isBearer(authorization)) {
      const user = await context.readSession({ authorization });
      return user ? signedIn(user) : none;
    }
    const key: unknown = request.headers['x-api-key'];
    if (isSecretKey(key)) {
      const isService = context.serviceKey !== null && sameText(key, context.serviceKey);
      if (isService) return { ...none, authority: 'operator' };
      const program = await findProgram(context, key);
      return program ? { ...none, authority: 'creator', ...program } : none;
    }
    const user = cookie ? await context.readSession({ cookie }) : null;
    if (user) return signedIn(user);
    return key === context.publishableKey ? { ...none, authority: 'reader' } : none;
  };
}

/** What a secret key may do, and for whom; that it was used is noted beside the request. */
async function findProgram(
  context: Context,
  secret: string,
): Promise<Pick<Viewer, 'creatorId' | 'may'> | null> {
  const key = await findSecretKey(context.db, secret);
  if (!key) return null;
  setImmediate(() => recordKeyUse(context, key).catch(context.notRecorded));
  const may = { ...GUEST.may };
  for (const scope of scopesOf(key)) may[scope] = key.owner_id;
  // Who sells sees what is there.
  return { creatorId: may.read ?? may.sell, may };
}

const found = Symbol('viewer');

/** Lets every route ask its request who it comes from. To be called before routes are registered. */
export function identifyViewers(app: FastifyInstance, findViewer: FindViewer): void {
  app.decorateRequest(found, null);
  app.decorateRequest('viewer', function viewer(this: FastifyRequest) {
    const request = this as FastifyRequest & Found;
    request[found] ??= findViewer(request);
    return request[found];
  });
}

interface Found {
  [found]: Promise<Viewer> | null;
}

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_COVER_BYTES } from '../../../contract/limits.ts';
import {
  isCover,
  type PrepareCover,
  type PreparedCover,
  setCover,
} from '../../catalog/links/cover.ts';
import { findShownPreview } from '../../catalog/links/preview.ts';
import { findOwnLink, type LinkAuthor } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { findSellerPicture } from '../../catalog/sellers/queries.ts';
import { setSellerPicture } from '../../catalog/sellers/set-picture.ts';
import { requireUser } from '../../edge/graphql/builder.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { RateLimited, type RateLimits } from '../../edge/http/rate-limits.ts';
import type { FileStore } from '../../files/file-store.ts';
import { readBlob } from '../../files/read-blob.ts';
import { selectRange } from '../../files/send-blob.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { coverOf } from './present-link.ts';
import { requireAuthor } from './require-author.ts';

interface Context {
  db: Database;
  store: FileStore;
  prepareCover: PrepareCover;
  limits: RateLimits;
  now: () => number;
}

/** In the line of covers. */
interface Place {
  leave(): void;
  /** The bytes are here: the answer leaves it. */
  isAtWork: boolean;
}

type NamedRequest = FastifyRequest<{ Params: { name: string } }>;
type LinkRequest = FastifyRequest<{ Params: { id: string } }>;

const COVER_NAME = /^([0-9a-f]{32})\.webp$/;
const PREVIEW_NAME = /^([0-9a-f]{32})\.(?:webp|mp3|wav)$/;
const FOREVER = 'public, max-age=31536000, immutable';

const COVER = z.object({ url: z.string(), width: z.int(), height: z.int() });
const REMOVED = { 204: { says: 'There is none.' } };

const CALLS = {
  set: {
    name: 'setCover',
    summary: 'Gives a link a cover: a PNG, JPEG, WebP, AVIF or GIF of at most 10 MiB.',
    caller: 'creator',
    body: 'image/*',
    answers: { 200: { says: 'As it is shown.', json: COVER } },
  },
  remove: {
    name: 'removeCover',
    summary: "Removes a link's cover.",
    caller: 'creator',
    answers: REMOVED,
  },
  setPicture: {
    name: 'setSellerPicture',
    summary: 'The same for the picture of your own page.',
    caller: 'session',
    body: 'image/*',
    answers: { 200: { says: 'As it is shown.', json: COVER } },
  },
  removePicture: {
    name: 'removeSellerPicture',
    summary: 'Removes it.',
    caller: 'session',
    answers: REMOVED,
  },
} satisfies Record<string, ApiCall>;

/** Pictures: PUT and DELETE /p/{id}/cover and /account/picture by owners, GET /covers/{name} and /previews/{name} by all. */
export const coverRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const authors = new WeakMap<FastifyRequest, LinkAuthor>();
  const places = new WeakMap<FastifyRequest, Place>();
  const takePlace = createCoverLine();
  await app.register((scope, _options, done) => {
    // The bytes alone say what they are.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    // Before the body is read: nobody fills the memory for a link that is not theirs.
    scope.addHook('onRequest', async (request, reply) => {
      const viewer = await request.viewer();
      const author = await requireAuthor({ viewer, limits: context.limits });
      const { id } = (request as LinkRequest).params;
      if (id === undefined) requireUser({ viewer });
      else await findOwnLink(context.db, author, id);
      authors.set(request, author);
      if (request.method === 'PUT') await lineUp(request, reply, author);
    });
    scope.addHook('onSend', async (request) => places.get(request)?.leave());
    scope.put(
      '/p/:id/cover',
      { bodyLimit: MAX_COVER_BYTES, config: { api: CALLS.set } },
      async (request: LinkRequest) =>
        coverOf(await change(request, await context.prepareCover(takePicture(request)))),
    );
    scope.delete(
      '/p/:id/cover',
      { config: { api: CALLS.remove } },
      async (request: LinkRequest, reply) => {
        await change(request, null);
        return reply.status(204).send();
      },
    );
    const ofPicture = { bodyLimit: MAX_COVER_BYTES, config: { api: CALLS.setPicture } };
    scope.put('/account/picture', ofPicture, async (request) => {
      const picture = await context.prepareCover(takePicture(request), 'seller');
      const blob = await changePicture(request, picture);
      const { width, height } = picture;
      return coverOf({ cover: blob, cover_width: width, cover_height: height });
    });
    scope.delete(
      '/account/picture',
      { config: { api: CALLS.removePicture } },
      async (request, reply) => {
        await changePicture(request, null);
        return reply.status(204).send();
      },
    );
    done();
  });

  function takePicture(request: FastifyRequest): Buffer {
    const place = places.get(request);
    if (place) place.isAtWork = true;
    return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  }

  const notRemovedFor = (request: FastifyRequest) => (error: unknown) =>
    request.log.warn({ err: error }, 'a picture was not removed');

  async function changePicture(request: FastifyRequest, picture: PreparedCover | null) {
    const { id: ownerId } = requireUser({ viewer: await request.viewer() });
    const notRemoved = notRemovedFor(request);
    return setSellerPicture({ ...context, notRemoved }, { ownerId, picture });
  }

  async function lineUp(request: FastifyRequest, reply: FastifyReply, author: LinkAuthor) {
    const account = author.kind === 'creator' ? author.userId : 'operator';
    const place: Place = { leave: takePlace(account), isAtWork: false };
    places.set(request, place);
    // Who hangs up while the picture is prepared keeps the place: it is still in memory.
    reply.raw.once('close', () => {
      if (!place.isAtWork) place.leave();
    });
    if (request.raw.socket.destroyed) place.leave();
    if (author.kind === 'creator') await context.limits.take('covers', account);
  }

  async function change(request: LinkRequest, cover: PreparedCover | null): Promise<Link> {
    const author = authors.get(request) as LinkAuthor;
    return setCover(
      { ...context, notRemoved: notRemovedFor(request) },
      { author, id: request.params.id, cover },
    );
  }

  app.get('/covers/:name', async (request: NamedRequest, reply) => {
    const blob = COVER_NAME.exec(request.params.name)?.[1];
    const isShown =
      blob && ((await isCover(context.db, blob)) || (await showsSellerPicture(request, blob)));
    const bytes = isShown ? await readBlob(context.store, blob) : null;
    if (!bytes) throw new DomainError('NOT_FOUND', 'There is no picture at this address.');
    return sendForever(reply, bytes, 'image/webp');
  });

  /** Sellers see their own one before their page has an address. */
  async function showsSellerPicture(request: FastifyRequest, blob: string): Promise<boolean> {
    const picture = await findSellerPicture(context.db, blob);
    if (!picture || picture.isPublic) return picture !== null;
    return (await request.viewer()).user?.id === picture.ownerId;
  }

  app.get('/previews/:name', async (request: NamedRequest, reply) => {
    const blob = PREVIEW_NAME.exec(request.params.name)?.[1];
    const mediaType = blob ? await findShownPreview(context.db, blob) : null;
    const bytes = blob && mediaType ? await readBlob(context.store, blob) : null;
    if (!bytes || !mediaType) {
      throw new DomainError('NOT_FOUND', 'There is no preview at this address.');
    }
    // Some browsers play only what can be asked for in parts.
    const selection = selectRange(request.headers.range, bytes.length);
    reply.header('accept-ranges', 'bytes');
    if (selection.kind !== 'part') return sendForever(reply, bytes, mediaType);
    const { first, last } = selection;
    reply.status(206).header('content-range', `bytes ${first}-${last}/${bytes.length}`);
    return sendForever(reply, bytes.subarray(first, last + 1), mediaType);
  });
};

/** Another picture has another address. */
function sendForever(reply: FastifyReply, bytes: Buffer, mediaType: string): FastifyReply {
  return reply
    .type(mediaType)
    .header('cache-control', FOREVER)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(bytes);
}

/** Pictures in memory at once, those on their way included: of 10 MiB each at most. */
const PLACES = 12;
const RETRY_MS = 5_000;

const ONE_AT_A_TIME =
  'Another cover is being uploaded from this account. Please wait until it is done.';
const FULL = 'The server is busy with other covers. Please try again in a few seconds.';

/**
 * Gives places to covers before their bytes are read: one to each account, and few in all.
 * @returns leaves the place; more than once does no harm.
 * @throws RateLimited when there is none.
 */
type TakePlace = (account: string) => () => void;

function createCoverLine(): TakePlace {
  const accounts = new Set<string>();
  return (account) => {
    if (accounts.has(account)) throw new RateLimited(RETRY_MS, ONE_AT_A_TIME);
    if (accounts.size >= PLACES) throw new RateLimited(RETRY_MS, FULL);
    accounts.add(account);
    let isLeft = false;
    return () => {
      if (!isLeft) accounts.delete(account);
      isLeft = true;
    };
  };
}

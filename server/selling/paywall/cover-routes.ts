import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_COVER_BYTES } from '../../../contract/limits.ts';
import {
  coverOf,
  isCover,
  type PictureContext,
  type PrepareCover,
  type PreparedCover,
  setCover,
} from '../../catalog/links/cover.ts';
import { findShownPreview } from '../../catalog/links/preview.ts';
import { findOwnLink, type LinkAuthor } from '../../catalog/links/queries.ts';
import { findSellerPicture } from '../../catalog/sellers/queries.ts';
import { setSellerPicture } from '../../catalog/sellers/set-picture.ts';
import { requireUser } from '../../edge/graphql/builder.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { RateLimited, type RateLimits } from '../../edge/http/rate-limits.ts';
import type { FileStore } from '../../files/file-store.ts';
import { readBlob } from '../../files/read-blob.ts';
import { selectRange } from '../../files/send-blob.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { requireAuthor } from './require-author.ts';

interface Context extends DatabaseContext {
  store: FileStore;
  prepareCover: PrepareCover;
  limits: RateLimits;
}

/** In the line of covers. */
interface Place {
  leave(): void;
  /** The bytes are here: the answer leaves it. */
  isAtWork: boolean;
}

type NamedRequest = FastifyRequest<{ Params: { name: string } }>;

const COVER_NAME = /^([0-9a-f]{32})\.webp$/;
const PREVIEW_NAME = /^([0-9a-f]{32})\.(?:webp|mp3|wav)$/;
const FOREVER = 'public, max-age=31536000, immutable';

const COVER = z.object({ url: z.string(), width: z.int(), height: z.int() });
const SET = { body: 'image/*', answers: { 200: { says: 'As it is shown.', json: COVER } } };
const REMOVED = { 204: { says: 'There is none.' } };

interface PictureRoute {
  path: string;
  use: 'cover' | 'seller';
  set: ApiCall;
  remove: ApiCall;
  /** @returns its blob */
  change(
    context: PictureContext,
    input: Owned & { picture: PreparedCover | null },
  ): Promise<string | null>;
}

const PICTURES: PictureRoute[] = [
  {
    path: '/p/:id/cover',
    use: 'cover',
    set: {
      name: 'setCover',
      summary: 'Gives a link a cover: a PNG, JPEG, WebP, AVIF or GIF of at most 10 MiB.',
      caller: 'creator',
      ...SET,
    },
    remove: {
      name: 'removeCover',
      summary: "Removes a link's cover.",
      caller: 'creator',
      answers: REMOVED,
    },
    change: async (context, { author, id, picture }) =>
      (await setCover(context, { author, id, cover: picture })).cover,
  },
  {
    path: '/account/picture',
    use: 'seller',
    set: {
      name: 'setSellerPicture',
      summary: 'The same for the picture of your own page.',
      caller: 'session',
      ...SET,
    },
    remove: {
      name: 'removeSellerPicture',
      summary: 'Removes it.',
      caller: 'session',
      answers: REMOVED,
    },
    change: (context, { id: ownerId, picture }) => setSellerPicture(context, { ownerId, picture }),
  },
];

/** Whose picture is changed, and by whom. */
interface Owned {
  author: LinkAuthor;
  /** Of the link, or of the seller. */
  id: string;
}

/** Pictures: PUT and DELETE /p/{id}/cover and /account/picture by owners, GET /covers/{name} and /previews/{name} by all. */
export const coverRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  await app.register(async (scope) => changePictures(scope, context));

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

function changePictures(app: FastifyInstance, context: Context): void {
  const owned = new WeakMap<FastifyRequest, Owned>();
  const places = new WeakMap<FastifyRequest, Place>();
  const takePlace = createCoverLine();
  // The bytes alone say what they are.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
    parsed(null, body),
  );
  // Before the body is read: nobody fills the memory for a link that is not theirs.
  app.addHook('onRequest', async (request, reply) => {
    const viewer = await request.viewer();
    const author = await requireAuthor({ viewer, limits: context.limits });
    const { id: linkId } = request.params as { id?: string };
    const { id } =
      linkId === undefined
        ? requireUser({ viewer })
        : await findOwnLink(context.db, author, linkId);
    owned.set(request, { author, id });
    if (request.method === 'PUT') await lineUp(request, reply, author);
  });
  app.addHook('onSend', async (request) => places.get(request)?.leave());

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

  for (const { path, use, set, remove, change } of PICTURES) {
    const changeTo = (request: FastifyRequest, picture: PreparedCover | null) => {
      const notRemoved = (error: unknown) =>
        request.log.warn({ err: error }, 'a picture was not removed');
      return change({ ...context, notRemoved }, { ...(owned.get(request) as Owned), picture });
    };
    app.put(path, { bodyLimit: MAX_COVER_BYTES, config: { api: set } }, async (request) => {
      const place = places.get(request);
      if (place) place.isAtWork = true;
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const picture = await context.prepareCover(bytes, use);
      const cover = await changeTo(request, picture);
      return coverOf({ cover, cover_width: picture.width, cover_height: picture.height });
    });
    app.delete(path, { config: { api: remove } }, async (request, reply) => {
      await changeTo(request, null);
      return reply.status(204).send();
    });
  }
}

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

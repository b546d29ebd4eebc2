import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_PAGE_SIZE } from '../../../contract/limits.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import type { RateLimits } from '../../edge/http/rate-limits.ts';
import type { FileStore } from '../../files/file-store.ts';
import { filesOfOwner, findFinishedFile } from '../../files/queries.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import { unlockedFiles } from '../../selling/access/file-access.ts';
import { deleteFile } from './delete-file.ts';
import type { DownloadTicket } from './download-url.ts';
import { signForViewer } from './routes.ts';

interface Context extends DatabaseContext {
  store: FileStore;
  signer: Signer<DownloadTicket>;
  publicUrl: string;
  limits: RateLimits;
}

/** The storage calls (specification §6, §7): addresses for whoever may read, an end for owners. */
export const storageRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get('/storage/url', { config: { api: CALLS.url } }, async (request, reply) => {
    const key = readKey(request);
    const viewer = await request.viewer();
    const file = await findFinishedFile(context.db, key);
    const path = file && (await signForViewer(context, viewer, file));
    // The same answer for a key that does not exist and one that is locked.
    if (!path)
      throw new DomainError('FORBIDDEN', 'You do not have access to a file with this key.');
    return reply.header('cache-control', 'no-store').send({ url: context.publicUrl + path });
  });

  const creators = {
    config: { creatorsOnly: 'Unauthorized: sign in to delete files.', api: CALLS.remove },
  };
  app.delete('/storage', creators, async (request, reply) => {
    const { creatorId } = request;
    const key = readKey(request);
    await context.limits.take('writes', creatorId);
    await deleteFile(context, { key, ownerId: creatorId });
    return reply.status(204).send();
  });

  app.get('/storage/list', { config: { api: CALLS.list } }, async (request, reply) => {
    const { after } = LIST_QUERY.parse(request.query);
    const viewer = await request.viewer();
    if (viewer.authority === 'none' && !viewer.claimHash) {
      throw new DomainError('UNAUTHORIZED', 'Unauthorized: send a valid key or sign in.');
    }
    const page = { after, limit: MAX_PAGE_SIZE };
    const { creatorId } = viewer;
    const own = creatorId ? await filesOfOwner(context.db, creatorId, page) : [];
    const unlocked = await unlockedFiles(context.db, viewer, page);
    // In bytes, as both databases order keys.
    const files = [...own, ...unlocked]
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
      .slice(0, MAX_PAGE_SIZE);
    return reply.header('cache-control', 'no-store').send({
      items: files.map((file) => ({
        key: file.key,
        name: file.name,
        size: file.size_bytes,
        sha256: file.sha256,
      })),
      nextToken: files.length === MAX_PAGE_SIZE ? files.at(-1)?.key : null,
    });
  });
};

/** Anything else than one text begins at the start. */
const LIST_QUERY = z.object({ after: z.string().nullable().catch(null) });
const KEY_QUERY = z.object({ key: z.string() });

const CALLS = {
  url: {
    name: 'getFileUrl',
    summary: 'The download link of a file that the viewer may have.',
    caller: 'viewer',
    query: KEY_QUERY,
    answers: { 200: { says: 'It expires.', json: z.object({ url: z.string() }) } },
  },
  list: {
    name: 'listFiles',
    summary: 'The files that the viewer owns or bought, by their keys, at most 100.',
    caller: 'viewer',
    query: z.object({ after: z.string().optional().describe('The `nextToken` of a page.') }),
    answers: {
      200: {
        says: 'A page of them.',
        json: z.object({
          items: z.array(
            z.object({
              key: z.string(),
              name: z.string(),
              size: z.number().describe('Bytes.'),
              sha256: z.string().nullable(),
            }),
          ),
          nextToken: z.string().nullish(),
        }),
      },
    },
  },
  remove: {
    name: 'deleteFile',
    summary: 'Deletes a file that no link sells.',
    query: KEY_QUERY,
    answers: { 204: { says: 'It is gone.' } },
  },
} satisfies Record<string, ApiCall>;

function readKey(request: FastifyRequest): string {
  const query = KEY_QUERY.safeParse(request.query);
  if (query.success) return query.data.key;
  throw new DomainError('INVALID_INPUT', 'Name the file: ?key=…');
}

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiCall } from '../edge/http/describe-calls.ts';
import type { DirectAccess } from './file-store.ts';
import { findOwnUpload, TusError, tusRoute, type UploadContext } from './tus.ts';

const PART = z.object({ number: z.coerce.number().int().min(1).max(10_000) });
const CONTENT = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

const CALLS = {
  list: {
    name: 'listUploadParts',
    summary: 'The parts of an upload that go straight to the storage, and which arrived.',
    headers: { 'tus-resumable': '1.0.0' },
    answers: { 200: { says: 'The parts.', json: z.looseObject({}) } },
  },
  sign: {
    name: 'signUploadPart',
    summary: 'Signs the request by which one part goes straight to the storage.',
    headers: { 'tus-resumable': '1.0.0' },
    query: CONTENT,
    answers: { 200: { says: 'The request to make.', json: z.looseObject({}) } },
  },
} satisfies Record<string, ApiCall>;

/**
 * Uploads whose bytes go straight to the store. They are opened, resumed and canceled like all
 * others; in place of PATCH, each part is signed here and sent there, in any order, and HEAD
 * finishes an upload whose parts are all there.
 */
export const partRoutes: FastifyPluginAsync<{
  uploads: UploadContext;
  direct: DirectAccess;
}> = async (app, { uploads, direct }) => {
  const { locks } = uploads;

  async function findRunning(request: FastifyRequest) {
    const upload = await findOwnUpload(uploads, request);
    if (upload.finished_at === null) return upload;
    throw new TusError(409, 'This upload is finished.');
  }

  app.get(
    '/uploads/:blob/parts',
    tusRoute(CALLS.list),
    async (request, reply): Promise<FastifyReply> => {
      const { blob, size_bytes } = await findRunning(request);
      await using _lock = await locks.acquire(blob);
      return reply.send(await direct.describeParts(blob, size_bytes));
    },
  );

  app.post(
    '/uploads/:blob/parts/:number',
    tusRoute(CALLS.sign),
    async (request, reply): Promise<FastifyReply> => {
      const part = PART.safeParse(request.params);
      const content = CONTENT.safeParse(request.query);
      if (!part.success || !content.success) {
        throw new TusError(400, 'Name a part by its number and its SHA-256 in hexadecimal.');
      }
      const { blob } = await findRunning(request);
      await using _lock = await locks.acquire(blob);
      const { size_bytes } = await findRunning(request);
      const signed = await direct.signPart(blob, size_bytes, { ...part.data, ...content.data });
      if (!signed) throw new TusError(400, 'This upload has no such part.');
      return reply.send(signed);
    },
  );
};

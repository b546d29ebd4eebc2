import type { FastifyInstance } from 'fastify';
import { continueUpload } from './uploads/continue-upload.ts';
import { createUpload } from './uploads/create-upload.ts';
import { deleteUpload } from './uploads/delete-upload.ts';
import { describeUpload } from './uploads/describe-upload.ts';
import { endUnreadRequest } from './uploads/end-unread-request.ts';
import { answerDiscovery, requireTus, TUS_VERSION, TusError } from './uploads/tus.ts';
import type { UploadDeps } from './uploads/upload-deps.ts';
import { UploadLocks } from './uploads/upload-locks.ts';

/** tus 1.0.0 with creation, creation-with-upload and termination at /uploads. */
export function registerUploads(app: FastifyInstance, deps: UploadDeps): void {
  const locks = new UploadLocks();
  app.register((scope, _options, done) => {
    // The bytes are never parsed nor collected: each handler reads the request itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.addHook('onError', endUnreadRequest);
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'tus-resumable': TUS_VERSION, 'cache-control': 'no-store' });
    });
    const tus = { preHandler: requireTus };
    scope.post('/uploads', tus, createUpload(deps, locks));
    scope.head('/uploads/:blob', tus, describeUpload(deps, locks));
    scope.patch('/uploads/:blob', tus, continueUpload(deps, locks));
    scope.delete('/uploads/:blob', tus, deleteUpload(deps, locks));
    for (const [path, allow] of ROUTES) {
      scope.options(path, answerDiscovery(deps.maxFileBytes));
      const others = ['GET', 'PUT'].concat(path === '/uploads' ? ['PATCH', 'DELETE'] : ['POST']);
      scope.route({
        method: others,
        url: path,
        exposeHeadRoute: false,
        async handler(request, reply) {
          reply.header('allow', allow);
          throw new TusError(405, `${request.method} is not possible here; there is ${allow}.`);
        },
      });
    }
    done();
  });
}

/** What may be asked of the collection and of one upload. GET never serves the bytes. */
const ROUTES = [
  ['/uploads', 'POST, OPTIONS'],
  ['/uploads/:blob', 'HEAD, PATCH, DELETE, OPTIONS'],
] as const;

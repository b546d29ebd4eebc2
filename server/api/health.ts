import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { FileStore } from '../domain/files/file-store.ts';
import type { Database } from '../domain/tables.ts';

/** GET /healthz: the process answers. GET /readyz: so do database and storage. */
export function registerHealth(app: FastifyInstance, db: Database, store: FileStore): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  // The schema is migrated before the server listens.
  app.get('/readyz', async (request, reply) => {
    const checks = await Promise.allSettled([sql`select 1`.execute(db), store.freeBytes()]);
    const [database, storage] = checks.map(({ status }) => status === 'fulfilled');
    for (const check of checks) {
      if (check.status === 'rejected') request.log.error({ err: check.reason }, 'not ready');
    }
    const ready = database && storage;
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', database, storage, migrations: true });
  });
}

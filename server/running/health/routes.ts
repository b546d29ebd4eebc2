import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { ROOM_ADVICE } from '../../edge/pages/error-pages.ts';
import type { FileStore } from '../../files/file-store.ts';
import { isMigrated } from '../../ground/database/migrate.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { isFull } from '../../ground/lib/cannot-store.ts';

/** What was found is good for so long, in milliseconds: nobody can make the checks costly. */
const KEPT_MS = 1_000;
/** A check that takes longer has failed, in milliseconds. */
const PATIENCE_MS = 2_000;

interface Context extends DatabaseContext {
  store: FileStore;
  /** Opens and closes a new connection, where the database is a server. */
  connectAnew(): Promise<void>;
  /** Of this product. */
  version: string;
}

type Finding<Value> = { value: Value } | { fault: string };

const READINESS = z.looseObject({ status: z.string() });

const CALLS = {
  health: {
    name: 'getHealth',
    summary: 'Whether the process runs.',
    answers: {
      200: { says: 'It does.', json: z.object({ status: z.string(), version: z.string() }) },
    },
  },
  ready: {
    name: 'getReadiness',
    summary: 'Whether requests can be answered.',
    answers: {
      200: { says: 'They can.', json: READINESS },
      503: { says: 'They cannot.', json: READINESS },
    },
  },
} satisfies Record<string, ApiCall>;

/** GET /healthz: the process answers, and which version it is of. GET /readyz: database and storage can be written to. */
export const healthRoutes: FastifyPluginAsync<Context> = async (
  app,
  { db, store, connectAnew, version, now },
) => {
  const note = (check: string) => (error: unknown) => {
    const advice = isFull(error) ? `; ${ROOM_ADVICE}` : '';
    app.log.error({ err: error }, `not ready: ${check}${advice}`);
  };
  const checkDatabase = createCheck(async () => {
    const probes = [probeDatabase(db, now()), isMigrated(db), connectAnew()] as const;
    // All have ended before the next check begins, also where one fails early.
    await Promise.allSettled(probes);
    const [deadLetters, migrations] = await Promise.all(probes);
    return { deadLetters, migrations };
  }, note('database'));
  const checkStorage = createCheck(() => store.probe(), note('storage'));

  app.get('/healthz', { config: { api: CALLS.health } }, async () => ({ status: 'ok', version }));
  app.get('/readyz', { config: { api: CALLS.ready } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    // At once, whatever there is to wait for: who asks is to look elsewhere.
    if (app.leaving || app.draining) return reply.status(503).send({ status: 'draining' });
    const [database, storage] = await Promise.all([checkDatabase(), checkStorage()]);
    const faults = { database: faultOf(database), storage: faultOf(storage) };
    const { deadLetters = null, migrations = null } = 'value' in database ? database.value : {};
    const isReady = migrations && !faults.storage;
    return reply.status(isReady ? 200 : 503).send({
      status: isReady ? 'ready' : 'not ready',
      database: !faults.database,
      storage: !faults.storage,
      // An older database may have been put in place since the start.
      migrations,
      faults,
      // Trying anew does not help them: they are for the operator to see.
      deadLetters,
    });
  });
};

function faultOf(finding: Finding<unknown>): string | null {
  return 'fault' in finding ? finding.fault : null;
}

/**
 * A check that everybody who asks within `KEPT_MS` shares. One that hangs is reported and not
 * begun again before it has ended.
 */
function createCheck<Value>(
  check: () => Promise<Value>,
  onFault: (error: unknown) => void,
): () => Promise<Finding<Value>> {
  let found: Promise<Finding<Value>> | undefined;
  let keptUntil = 0;
  let running: Promise<Value> | undefined;

  async function find(): Promise<Finding<Value>> {
    const answered = new AbortController();
    running ??= check().finally(() => {
      running = undefined;
    });
    try {
      const late = sleep(PATIENCE_MS, undefined, answered).then(() => {
        throw new Error(`No answer within ${PATIENCE_MS} ms`);
      });
      return { value: await Promise.race([running, late]) };
    } catch (error) {
      onFault(error);
      return { fault: describeFault(error) };
    } finally {
      answered.abort();
      keptUntil = performance.now() + KEPT_MS;
    }
  }

  return () => {
    if (!found || performance.now() > keptUntil) {
      keptUntil = Number.POSITIVE_INFINITY;
      found = find();
    }
    return found;
  };
}

const FAULTS: [RegExp, string][] = [
  [/^No answer/, 'It does not respond.'],
  [/ENOSPC|EDQUOT|disk is full|No space left/i, 'The disk is full.'],
  [/EROFS|EACCES|EPERM|read-?only/i, 'It cannot be written to.'],
  [/ENOENT|ENOTDIR|unable to open/i, 'It is missing.'],
  [/ECONN|EHOSTUNREACH|connect|terminat/i, 'It does not accept connections.'],
];

/** In words that tell a stranger nothing of this machine; the log says more. */
function describeFault(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'It failed; the log says why.';
}

/**
 * Commits a small write, as every sale does.
 * @param written_at UTC milliseconds
 * @returns how many jobs were given up
 * @throws whatever the database says when it cannot
 */
export async function probeDatabase(db: Database, written_at: number): Promise<number> {
  await db
    .insertInto('probe')
    .values({ id: 1, written_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ written_at }))
    .execute();
  const { count } = await db
    .selectFrom('job')
    .where('died_at', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

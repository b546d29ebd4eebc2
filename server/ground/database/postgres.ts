import {
  type AbortableQueryOptions,
  type Compilable,
  type CompiledQuery,
  Kysely,
  type KyselyConfig,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryResult,
  sql,
} from 'kysely';
import pg from 'pg';
import { listServers } from '../lib/database-servers.ts';
import { DomainError } from '../lib/domain-error.ts';
import { unavailable } from './dialect.ts';
import { type ClientOptions, shareReads, watchClient } from './postgres-client.ts';
import { findPrepared } from './prepare.ts';
import { connectToPrimary, findPrimary } from './primary.ts';
import type { Database, LogStatement, Tables } from './tables.ts';

/** OID of int8: cents and milliseconds fit a double exactly, so they are read as numbers. */
const INT8 = 20;

/** Milliseconds. To connect, and to wait for a free connection: an answer later serves nobody. */
const CONNECT_MS = 5_000;
/** Milliseconds. For a lock that another session holds: ours are held for a moment only. */
const LOCK_MS = 5_000;
/** Milliseconds. For one statement of a request or a job: each reads or writes a bounded part. */
const STATEMENT_MS = 15_000;
/** Milliseconds. After which the server frees what a process holds that has vanished. */
const IDLE_IN_TRANSACTION_MS = 15_000;
/** Milliseconds. More than the server takes to give up by itself: by now it cannot be reached. */
const SILENCE_MS = STATEMENT_MS + 5_000;
/** Milliseconds. Longer than pg's own 10 s: a connection costs more than a query. */
const IDLE_MS = 60_000;

/**
 * What was stored outlives a crash of the server, also where an operator gave that up for speed: a
 * checkout that the database forgot can still be paid.
 */
const DURABLE = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') = 'off'`;
const LIMITS = `set lock_timeout = ${LOCK_MS}; set statement_timeout = ${STATEMENT_MS};
  set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

/** How each connection of ours is opened: one that vanished is noticed after some 20 s. */
export const CONNECTION = {
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

interface Options {
  /** Called for connections that are lost while idle. */
  onLost(error: Error): void;
  /** Lets statements take the time they need: for migrations and the operator's commands. */
  patient?: boolean;
  log?: LogStatement | undefined;
}

/**
 * Opens a pool on PostgreSQL; connections are made when first used. What fails for want of a
 * connection, or of an answer in time, is a DomainError UNAVAILABLE.
 */
export function openPostgres(
  url: string,
  { onLost, patient = false, log }: Options,
): Kysely<Tables> {
  // Sent as statements: PgBouncer refuses connections that bring it these as parameters.
  const settings = {
    text: patient ? DURABLE : `${DURABLE}; ${LIMITS}`,
    query_timeout: CONNECT_MS,
  };
  const { Client, servers } = findPrimary(url);
  const pool = new pg.Pool({
    ...CONNECTION,
    Client: Client as never,
    connectionString: url,
    max: 10,
    // Of a transaction, several statements can be on their way.
    pipeline: true,
    idleTimeoutMillis: IDLE_MS,
    // Its promise is awaited, whatever its type says.
    onConnect: (client) => client.query(settings) as never,
    types: {
      getTypeParser: (oid, format) =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid as number, format as 'text'),
    },
  });
  // Without a listener a lost idle connection would end the process.
  pool.on('error', onLost);
  const watchedPool = watched(pool, servers, { silenceMs: patient ? null : SILENCE_MS, log });
  const dialect = new PostgresDialect({ pool: watchedPool });
  const db = new ReadSharingDatabase({ dialect }, pool, shareReads(watchedPool));
  pools.set(db, pool);
  return db;
}

/** A database whose prepared reads go together over few connections (`shareReads`). */
class ReadSharingDatabase extends Kysely<Tables> {
  #pool: pg.Pool;
  #read: PostgresPoolClient['query'];

  constructor(config: KyselyConfig, pool: pg.Pool, read: PostgresPoolClient['query']) {
    super(config);
    this.#pool = pool;
    this.#read = read;
  }

  override async executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if ('sql' in query && findPrepared(query.parameters)?.does === 'read') {
      const { rows } = await this.#read<Row>(query.sql, query.parameters);
      return { rows };
    }
    return super.executeQuery(query, options);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    // Kysely ends only what it has used itself.
    if (!this.#pool.ending) await this.#pool.end();
  }
}

const pools = new WeakMap<Database, pg.Pool>();

/** The connections of an opened database, and how many wait for one. */
export function countConnections(db: Database) {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {};
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}

/** The pool as Kysely uses it, with lost connections told apart from other errors. */
function watched(pool: pg.Pool, servers: number, options: ClientOptions): PostgresPool {
  const clients = new WeakMap<pg.ClientBase, PostgresPoolClient>();
  pool.on('connect', (client) => clients.set(client, watchClient(client, options)));
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      for (let tried = 1; ; tried += 1) {
        try {
          return clients.get(await pool.connect()) as PostgresPoolClient;
        } catch (cause) {
          if (tried === servers) throw unavailable(cause);
        }
      }
    },
  };
}

/** Milliseconds. */
const TIMEOUT_MS = 2_000;

/**
 * Opens a connection to PostgreSQL and closes it: a pool keeps working with its connections while
 * the server refuses new ones.
 * @throws Error if the server refuses it
 */
export async function connectAnew(url: string): Promise<void> {
  const client = await connectToPrimary(url, { connectionTimeoutMillis: TIMEOUT_MS });
  // Not awaited: a server that no longer responds would hold up every later check.
  client.end().catch(() => {});
}

/** What the server or the network says, and what it means for the setting. */
const MEANINGS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL or correct host and port',
  ENOTFOUND: 'there is no such host; correct its name',
  EAI_AGAIN: 'the name of the host cannot be looked up right now; correct it or check the network',
  ETIMEDOUT: 'it does not respond; correct host and port, or open the firewall',
  EHOSTUNREACH: 'there is no route to it; correct the host',
  ENETUNREACH: 'there is no route to it; correct the host',
  ECONNRESET: 'the connection was closed; something else may be listening there',
  ENOENT: 'a file that it names, such as sslrootcert, cannot be read',
  '28P01': 'the password is wrong; correct it, with special characters percent-encoded (%40 for @)',
  '28000': 'the server does not allow this user; correct the user, sslmode or pg_hba.conf',
  '3D000': 'there is no such database; create it or correct its name',
  '42501': 'the user may not connect to this database; grant it the right to',
  '53300': 'the server has no connections left; raise its max_connections',
  '57P03': 'the server is starting or stopping; try again in a moment',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted; give its CA with sslrootcert=/path',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; give its CA with sslrootcert=/path',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted; give its CA with sslrootcert=/path',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host; correct the host',
};

/** Says what is wrong with DATABASE_URL; never holds its password. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/**
 * Connects to the server for the first time.
 * @throws UnreachableError
 */
export async function reachPostgres(db: Database, url: string): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    const { code, message } = saidBy(error);
    const servers = listServers(url).map((server) => new URL(server));
    const { pathname = '', username = '' } = servers[0] ?? {};
    const hosts = servers.map(({ host }) => host || 'a local socket').join(' or ');
    const place = `database "${pathname.slice(1)}" at ${hosts} as "${username}"`;
    const meaning =
      MEANINGS[code ?? ''] ??
      (/does not support SSL/.test(message)
        ? 'the server does not support TLS; set sslmode=disable, on a private network only'
        : message.replace(/\.$/, ''));
    throw new UnreachableError(
      `DATABASE_URL: cannot reach ${place}: ${meaning}. A correct example: postgres://padlink:secret@127.0.0.1:5432/padlink`,
      { cause: error },
    );
  }
}

/** What the server or the network said: temporary errors are worded differently. */
function saidBy(error: unknown): { code?: string; message: string } {
  return (error instanceof DomainError ? error.cause : error) as Error;
}

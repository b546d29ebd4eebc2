import { CompiledQuery, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { DomainError } from '../lib/domain-error.ts';
import { explainClosed, unavailable } from './dialect.ts';
import { findPrepared } from './prepare.ts';
import type { LogStatement } from './tables.ts';

export interface ClientOptions {
  /** Milliseconds without any answer to what was sent, after which the server is given up; null for never. */
  silenceMs: number | null;
  log: LogStatement | undefined;
}

/**
 * A connection as Kysely uses it, with a lost one told apart from other errors. In a transaction, a
 * prepared change whose result nobody reads is sent ahead: its answer is awaited with that of the next
 * statement, and its error thrown there. What is sent in one turn is written at once.
 */
export function watchClient(
  client: pg.PoolClient,
  { silenceMs, log }: ClientOptions,
): PostgresPoolClient {
  let lost = false;
  // The pool listens while nobody uses the connection: without this one, losing a connection in
  // use would end the process.
  client.on('error', () => {
    lost = true;
  });
  const giveUp = () => {
    lost = true;
    streamOf(client).destroy();
  };
  // Of the statements that were sent, and begins anew with each answer.
  let silence: NodeJS.Timeout | undefined;
  let unanswered = 0;
  // The server plans what has a name a few times only; planning takes longer than most of these queries.
  let isNamed = true;

  async function send(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const name = isNamed ? findPrepared(values)?.name : undefined;
    const begun = log && performance.now();
    const tell = (outcome: { level: 'query' } | { level: 'error'; error: unknown }) =>
      log?.({
        ...outcome,
        query: CompiledQuery.raw(text, [...values]),
        queryDurationMillis: performance.now() - (begun ?? 0),
      });
    if (unanswered === 0 && silenceMs !== null) silence = setTimeout(giveUp, silenceMs);
    unanswered += 1;
    writeTogether(streamOf(client));
    try {
      const query = { ...(name && { name }), text, values: values as unknown[] };
      const answer = await client.query(query);
      tell({ level: 'query' });
      return answer;
    } catch (error) {
      tell({ level: 'error', error });
      if (isForgotten(error)) {
        isNamed = false;
        if (client.getTransactionStatus() === 'I') return await send(text, values);
        throw unavailable(error);
      }
      throw lost || isPassing(error) ? unavailable(error) : explainBadText(explainClosed(error));
    } finally {
      unanswered -= 1;
      if (unanswered === 0) clearTimeout(silence);
      else silence?.refresh();
    }
  }

  let open: OpenTransaction | null = null;

  function sendAhead(trx: OpenTransaction, text: string, values: readonly unknown[]): void {
    trx.ahead = send(text, values).then(
      () => {
        trx.hasBegun = true;
      },
      (error: unknown) => {
        trx.fault ??= error;
      },
    );
  }

  async function query(text: string, values: readonly unknown[]): Promise<Answer> {
    if (BEGINS.test(text)) {
      open = { hasBegun: false, ahead: Promise.resolve(), fault: undefined };
      sendAhead(open, text, values);
      return unread();
    }
    if (!open) return send(text, values);
    const trx = open;
    if (ENDS.test(text)) open = null;
    if (text === 'rollback') return send(text, values);
    // Where it did not begin, a change would be committed at once.
    if (!trx.hasBegun && !READS.test(text)) await trx.ahead;
    if (trx.fault !== undefined) throw trx.fault;
    if (findPrepared(values)?.does === 'change') {
      sendAhead(trx, text, values);
      return unread();
    }
    const [answer] = await Promise.allSettled([send(text, values), trx.ahead]);
    // It has made all that came after it fail, and a commit to a rollback.
    if (trx.fault !== undefined) throw trx.fault;
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  }

  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  };
}

interface OpenTransaction {
  /** Whether any of it is answered, and with that its beginning. */
  hasBegun: boolean;
  /** Resolves when the last statement that was sent ahead is answered; answers come in their order. */
  ahead: Promise<void>;
  /** Why the first of them failed that did. */
  fault: unknown;
}

const BEGINS = /^(begin|start transaction)\b/;
const ENDS = /^(commit|rollback)$/;
const READS = /^select\b/;

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/** What is said of a statement whose real answer nobody reads. */
const unread = (): Answer => ({ command: '', rowCount: 0, rows: [] });

const streamOf = (client: pg.ClientBase) => (client as pg.Client).connection.stream;

/** What is sent in one turn of the event loop is written at once: each write wakes the server. */
function writeTogether(stream: pg.Connection['stream']): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** Reads that share a connection. Beyond it, newcomers take another: one that is slow holds up few. */
export const READS_AT_ONCE = 16;
/** Milliseconds. A read that takes longer, or the connection it waits for, holds up nobody else. */
const SLOW_MS = 200;

interface Shared {
  client: Promise<PostgresPoolClient>;
  /** When each of its reads began that has no answer yet, the oldest first. */
  begun: number[];
}

/**
 * Sends reads that are under way at once over one connection, which takes us and the server half the
 * work. The first takes it from the pool, the last gives it back.
 */
export function shareReads(pool: PostgresPool): PostgresPoolClient['query'] {
  let shared: Shared | null = null;

  function hasPlace({ begun }: Shared, now: number): boolean {
    const [oldest = now] = begun;
    return begun.length < READS_AT_ONCE && now - oldest < SLOW_MS;
  }

  async function read(text: string, values: readonly unknown[]) {
    const now = performance.now();
    if (!shared || !hasPlace(shared, now)) shared = { client: pool.connect(), begun: [] };
    const taken = shared;
    taken.begun.push(now);
    try {
      const client = await taken.client;
      return await client.query(text, values);
    } catch (error) {
      // It may be lost.
      if (shared === taken) shared = null;
      throw error;
    } finally {
      taken.begun.shift();
      if (taken.begun.length === 0) {
        if (shared === taken) shared = null;
        await taken.client.then(
          (client) => client.release(),
          () => {},
        );
      }
    }
  }
  return read as PostgresPoolClient['query'];
}

/** By SQLSTATE: it was canceled, for its time or for a lock, or the server is going or coming. */
const PASSING = new Set([
  '25P03', // idle in a transaction for too long
  '40001', // cannot be serialized
  '40P01', // deadlock
  '53300', // too many connections
  '55P03', // a lock was not available in time
  '57014', // canceled, as by statement_timeout
  '57P01', // ended by an administrator
  '57P02', // ended by a crash
  '57P03', // starting or shutting down
]);

function isPassing(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return PASSING.has(code) || code.startsWith('08');
}

/** Of what is known by a name, after the first of several that were sent together failed. */
const UNKNOWN_NAME = '26000';
const KNOWN_NAME = '42P05';

/**
 * Whether the server does not know the statement by its name any more: a newer release, started beside
 * this one, has added columns to what it reads, or it could not be prepared.
 */
function isForgotten(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  if (code === '0A000') return routine === 'RevalidateCachedQuery';
  return code === UNKNOWN_NAME || code === KNOWN_NAME;
}

/** PostgreSQL keeps no NUL in a text: whoever sent one is told so. */
function explainBadText(cause: unknown): unknown {
  const { code } = cause as { code?: string };
  if (code !== '22021') return cause;
  const message = 'The request contains characters that are not valid text.';
  return new DomainError('INVALID_INPUT', message, { cause });
}

import { hash } from 'node:crypto';
import type { DBAdapter, Where } from 'better-auth';

type Row = Record<string, unknown>;
/** A call of the adapter, whatever it asks for. */
type Call = { model: string; where?: Where[] | undefined };

/** What is stored of a session's token: SHA-256, hex. The token has 190 random bits. */
export function hashSessionToken(token: string): string {
  return hash('sha256', token);
}

/**
 * Keeps session tokens out of the database, so that nobody can sign in with what is read from it or
 * a copy of it. The account library finds, changes and ends a session by the token that its holder
 * sent, and gets that token back; in a list of sessions it gets hashes, which find nothing.
 */
export function withHashedSessions(adapter: DBAdapter): DBAdapter {
  return {
    ...adapter,
    async create(call) {
      const { token } = call.data as Row;
      if (call.model !== 'session') return adapter.create(call);
      const data = { ...call.data, token: hashSessionToken(String(token)) };
      return Object.assign((await adapter.create({ ...call, data })) as object, { token }) as never;
    },
    findOne: async (call) => withToken(call, await adapter.findOne(hashed(call))) as never,
    findMany: (call) => adapter.findMany(hashed(call)),
    count: (call) => adapter.count(hashed(call)),
    update: async (call) => withToken(call, await adapter.update(hashed(call))) as never,
    updateMany: (call) => adapter.updateMany(hashed(call)),
    delete: (call) => adapter.delete(hashed(call)),
    deleteMany: (call) => adapter.deleteMany(hashed(call)),
    consumeOne: async (call) => withToken(call, await adapter.consumeOne(hashed(call))) as never,
    incrementOne: async (call) =>
      withToken(call, await adapter.incrementOne(hashed(call))) as never,
    transaction: (work) =>
      adapter.transaction((inner) => work(withHashedSessions(inner as DBAdapter))),
  };
}

const isToken = ({ field }: Where) => field === 'token';

/** The call with the hashes of the tokens that it names. */
function hashed<Named extends Call>(call: Named): Named {
  if (call.model !== 'session' || !call.where?.some(isToken)) return call;
  const where = call.where.map((part) => {
    if (!isToken(part)) return part;
    const value = Array.isArray(part.value)
      ? part.value.map((token) => hashSessionToken(String(token)))
      : hashSessionToken(String(part.value));
    return { ...part, value };
  });
  return { ...call, where };
}

/** The row that was found by a token, with that token instead of its hash. */
function withToken({ model, where }: Call, row: unknown): unknown {
  const value = model === 'session' ? where?.find(isToken)?.value : undefined;
  return row && typeof value === 'string' ? { ...row, token: value } : row;
}

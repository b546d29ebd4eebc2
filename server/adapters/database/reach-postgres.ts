import { sql } from 'kysely';
import { DomainError } from '../../domain/domain-error.ts';
import type { Database } from '../../domain/tables.ts';

/** What the server or the network says, and what it means for the setting. */
const MEANINGS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL or correct host and port',
  ENOTFOUND: 'there is no such host; correct its name',
  EAI_AGAIN: 'the name of the host cannot be looked up now; correct it or mend the network',
  ETIMEDOUT: 'it does not answer; correct host and port, or open the way to it',
  EHOSTUNREACH: 'no way leads there; correct the host',
  ENETUNREACH: 'no way leads there; correct the host',
  ECONNRESET: 'the connection was cut; something else may listen there',
  ENOENT: 'a file that it names, such as sslrootcert, cannot be read',
  '28P01': 'the password is wrong; correct it, with special characters written as in %40 for @',
  '28000': 'the server does not let this user in; correct the user, sslmode or pg_hba.conf',
  '3D000': 'there is no such database; create it or correct its name',
  '42501': 'the user may not use this database; grant it the right to',
  '53300': 'the server has no connection left; raise its max_connections',
  '57P03': 'the server is starting or stopping; try again in a moment',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted; name its CA by sslrootcert=/path',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; name its CA by sslrootcert=/path',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted; name its CA by sslrootcert=/path',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host; correct the host',
};

/** Says what is wrong with DATABASE_URL; never holds its password. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/**
 * Asks the server a first time.
 * @throws UnreachableError
 */
export async function reachPostgres(db: Database, url: string): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    const { code, message } = saidBy(error);
    const { host, pathname, username } = new URL(url);
    const place = `database "${pathname.slice(1)}" at ${host || 'a local socket'} as "${username}"`;
    const meaning =
      MEANINGS[code ?? ''] ??
      (/does not support SSL/.test(message)
        ? 'the server speaks no TLS; write sslmode=disable, in a network of your own'
        : message.replace(/\.$/, ''));
    throw new UnreachableError(
      `DATABASE_URL: cannot reach ${place}: ${meaning}. An example that is right: postgres://padlink:secret@127.0.0.1:5432/padlink`,
      { cause: error },
    );
  }
}

/** What the server or the network said: what is wrong for a moment only is told in other words. */
function saidBy(error: unknown): { code?: string; message: string } {
  return (error instanceof DomainError ? error.cause : error) as Error;
}

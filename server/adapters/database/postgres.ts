import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../domain/tables.ts';

/** OID of int8: cents and milliseconds fit a double exactly, so they are read as numbers. */
const INT8 = 20;

/** Opens a pool on PostgreSQL; connections are made when first used. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types: {
      getTypeParser: (oid, format) =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid as number, format as 'text'),
    },
  });
  // Without a listener a lost idle connection would end the process.
  pool.on('error', onIdleError);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

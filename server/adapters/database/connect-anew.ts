import pg from 'pg';

/** Milliseconds. */
const TIMEOUT_MS = 2_000;

/**
 * Opens a connection to PostgreSQL and closes it: a pool goes on with those it has while the
 * server refuses new ones.
 * @throws Error when the server does not let it in
 */
export async function connectAnew(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => {});
  await client.connect();
  // Not waited for: a server that says no more would hold up every later check.
  client.end().catch(() => {});
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { POSTGRES_VARIABLE } from '../../../tests/harness/postgres.ts';
import { openPostgres } from './postgres.ts';

/** A way to PostgreSQL that is cut as soon as somebody asks whether a standby is at its end. */
async function startCutLine({ hostname, port }: URL): Promise<string> {
  const line = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on('data', (bytes) => {
      if (bytes.includes('pg_is_in_recovery')) client.destroy();
      else upstream.write(bytes);
    });
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
  });
  await once(line.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void line.close());
  return `127.0.0.1:${(line.address() as AddressInfo).port}`;
}

test('a server that dies while it is asked what it is leads to the next one, and ends no process', async () => {
  const server = new URL(process.env[POSTGRES_VARIABLE] ?? '');
  const url = server.href.replace(server.host, `${await startCutLine(server)},${server.host}`);
  const db = openPostgres(url, { onLost: () => {}, patient: true });
  onTestFinished(() => db.destroy());
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

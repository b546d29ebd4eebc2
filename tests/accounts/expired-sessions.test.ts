import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Overrides } from '../../server/app.ts';
import { runSql } from '../errors/run-sql.ts';
import { takeTableAway } from '../errors/take-table-away.ts';
import { signUp } from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { type Person, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describeOnBothDatabases('sessions that have expired', (database) => {
  const lines: string[] = [];
  const overrides: Overrides = { logTo: { write: (line) => lines.push(line) } };
  const app = useApp({ database, overrides, env: { LOG_LEVEL: 'error' } });

  const idOf = async (person: Person) =>
    (await readJson<{ sub: string }>(await person.fetch('/api/user-attributes'))).sub;

  /** Whose sessions are kept. */
  const listOwners = () =>
    withDatabase(app, async (db) => {
      const { rows } = await sql<{ userId: string }>`select "userId" from session`.execute(db);
      return rows.map(({ userId }) => userId);
    });

  test('are swept, also where another sweep fails, and nobody else is signed out by it', async () => {
    const [gone, here] = [await signUp(app), await signUp(app)];
    const [goneId, hereId] = [await idOf(gone), await idOf(here)];
    const past = new Date(Date.now() - 1_000).toISOString();
    await runSql(app, `update session set "expiresAt" = '${past}' where "userId" = '${goneId}'`);
    expect(await listOwners()).toContain(goneId);
    await takeTableAway(app, 'webhook_event');
    overrides.sweepEveryMs = 100;
    await app.restart();
    await eventually(async () => expect(await listOwners()).toEqual([hereId]));
    expect(await idOf(here)).toBe(hereId);
    expect(lines.join()).toContain('Sweeping unpaid checkouts failed');
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Database } from '../../server/ground/database/tables.ts';
import { skipWithout } from './needs.ts';
import { runCli } from './run-command.ts';
import { stripeOf } from './webhook.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The books as hledger reads them, whole and from tomorrow on: it accepts them, and finds what is
 * owed to every creator, and what the provider holds. They must have been reconciled just before.
 */
export async function expectHledgerAgrees(
  env: Record<string, string>,
  db: Database,
  sandboxPort: number,
): Promise<void> {
  if (spawnSync('hledger', ['--version']).status !== 0) skipWithout('hledger');
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const owed = await db
    .selectFrom('user_balance')
    .where('balance_cents', '!=', 0)
    .select(['owner_id', 'balance_cents'])
    .execute();
  const { available } = await stripeOf(sandboxPort).balance.retrieve();
  const expected = new Map([
    ['assets:provider', available[0]?.amount ?? 0],
    ...owed.map((row) => [`liabilities:creators:${row.owner_id}`, -row.balance_cents] as const),
  ]);
  for (const range of [[], ['--from', tomorrow]]) {
    const { status, stdout } = await runCli(
      env,
      ...['ledger', 'export', '--format', 'hledger', ...range],
    );
    expect(status).toBe(0);
    const file = join(env.DATA_DIR ?? '', 'books.journal');
    writeFileSync(file, stdout);
    const hledger = (...words: string[]) =>
      execFileSync('hledger', ['-f', file, ...words], { encoding: 'utf8' });
    hledger('check', '--strict');
    const listed = hledger(
      ...['balance', 'assets:provider', 'liabilities:creators', '-N', '--flat'],
      ...['--format', '%(account) %(total)'],
    );
    const found = new Map(
      listed
        .trim()
        .split('\n')
        .map((line) => {
          const [account = '', dollars = ''] = line.split(' ');
          return [account, Math.round(Number(dollars) * 100)];
        }),
    );
    expect(found).toEqual(expected);
  }
}

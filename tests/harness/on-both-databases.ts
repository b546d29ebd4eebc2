import { describe } from 'vitest';
import type { Database } from './test-environment.ts';

type DescribeIt = (database: Database) => void;

/** Describes the same behavior on SQLite and on PostgreSQL: for what their SQL decides. */
export function describeOnBothDatabases(title: string, describeIt: DescribeIt): void {
  describe.each<Database>(['sqlite', 'postgres'])(`${title} on %s`, describeIt);
}

/** The same, on PostgreSQL in the long ring only: for what hardly depends on the database. */
export function describeOnSqliteFirst(title: string, describeIt: DescribeIt): void {
  describe(`${title} on sqlite`, () => describeIt('sqlite'));
  describe(`${title} on postgres`, { tags: 'long' }, () => describeIt('postgres'));
}

import { describe } from 'vitest';
import type { Database } from './test-environment.ts';

const databases: Database[] = ['sqlite', 'postgres'];

/** Describes the same behavior once on SQLite and once on PostgreSQL. */
export function describeOnBothDatabases(title: string, describeIt: (database: Database) => void) {
  describe.each(databases)(`${title} on %s`, describeIt);
}

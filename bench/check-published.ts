import { readTable } from '../tests/harness/read-limits.ts';
import type { Row } from './row.ts';

/** Of a published ratio: the same machine does not measure the same twice. */
const STILL_MET = 0.8;

/** The rows that miss their published ratio by more than a fifth, each in words. */
export function findLosses(rows: Row[]): string[] {
  const published = new Map(
    readTable('Beside bare servers', 'docs/benchmarks.md').map((row) => [row[0], Number(row[3])]),
  );
  return rows.flatMap(({ name, ratio }) => {
    const before = published.get(name);
    if (before === undefined) return [`${name} is not on the page: measure all with --write.`];
    if (ratio >= before * STILL_MET) return [];
    return [`${name}: ${ratio.toFixed(2)}, but ${before.toFixed(2)} is published.`];
  });
}

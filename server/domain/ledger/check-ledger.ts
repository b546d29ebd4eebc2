import type { Database } from '../tables.ts';
import { findDeadJobs } from './checks/dead-jobs.ts';
import { findEmptyGrants } from './checks/empty-grants.ts';
import { findWrongBalances } from './checks/wrong-balances.ts';
import { findWrongDisputes } from './checks/wrong-disputes.ts';
import { findWrongEntries } from './checks/wrong-entries.ts';
import { findWrongGrants } from './checks/wrong-grants.ts';
import { findWrongRefunds } from './checks/wrong-refunds.ts';
import { findWrongSales } from './checks/wrong-sales.ts';
import { findWrongStatistics } from './checks/wrong-statistics.ts';

const CHECKS = [
  findWrongEntries,
  findWrongBalances,
  findWrongSales,
  findWrongRefunds,
  findWrongDisputes,
  findWrongGrants,
  findEmptyGrants,
  findWrongStatistics,
  findDeadJobs,
];

/**
 * Recomputes the books from their lines and lists every fault found, one sentence each, and every
 * job that was given up: what it should have done is missing.
 */
export async function checkLedger(db: Database): Promise<string[]> {
  const faults: string[] = [];
  for (const check of CHECKS) faults.push(...(await check(db)));
  return faults;
}

import { readFileSync } from 'node:fs';

/** Resident memory of a process in bytes, as Linux counts it. */
export function residentMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

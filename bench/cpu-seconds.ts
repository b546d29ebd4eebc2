import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second toward programs, whatever its kernel does. */
const TICKS_PER_SECOND = 100;

/** Processor time that a process has used, all threads; null where the system does not say. */
export function cpuSeconds(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // proc(5): utime and stime are fields 14 and 15; the name before may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

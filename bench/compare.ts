import { cpuSeconds } from './cpu-seconds.ts';

/** What is measured: work on a server, that tells how much of it was done. */
export interface Contestant {
  /** Whose processor time is counted; null where several processes share the work. */
  pid: number | null;
  work(): Promise<number>;
  /** Waits for what the work leaves to be done, which is not to meet the other's. */
  rest?(): Promise<void>;
}

export interface Comparison {
  /** Medians, a second. */
  ours: number;
  yardstick: number;
  /** Medians of the rounds' ratios. */
  ratio: number;
  /** The ratio of work for the same processor time: what remains when the machine is not idle. */
  cpuRatio: number | null;
  /** Medians of the processor time that one unit of work takes, in microseconds. */
  cpuMicroseconds: { ours: number; yardstick: number } | null;
}

const ROUNDS = 5;

/** Measures both in turns, so that noise meets both; the first round warms up and is dropped. */
export async function compare(ours: Contestant, yardstick: Contestant): Promise<Comparison> {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const samples = { yardstick: await measure(yardstick), ours: await measure(ours) };
    if (round > 0) rounds.push(samples);
  }
  const hasCpu = ours.pid !== null && yardstick.pid !== null;
  return {
    ours: median(rounds.map((round) => round.ours.perSecond)),
    yardstick: median(rounds.map((round) => round.yardstick.perSecond)),
    ratio: median(rounds.map((round) => round.ours.perSecond / round.yardstick.perSecond)),
    cpuRatio: hasCpu
      ? median(rounds.map((round) => round.ours.perCpuSecond / round.yardstick.perCpuSecond))
      : null,
    cpuMicroseconds: hasCpu
      ? {
          ours: 1e6 / median(rounds.map((round) => round.ours.perCpuSecond)),
          yardstick: 1e6 / median(rounds.map((round) => round.yardstick.perCpuSecond)),
        }
      : null,
  };
}

async function measure({ pid, work, rest }: Contestant) {
  const begun = performance.now();
  const cpuBefore = readCpu(pid);
  const amount = await work();
  const seconds = (performance.now() - begun) / 1000;
  const cpuSpent = readCpu(pid) - cpuBefore;
  await rest?.();
  return { perSecond: amount / seconds, perCpuSecond: amount / cpuSpent };
}

function readCpu(pid: number | null): number {
  return (pid === null ? null : cpuSeconds(pid)) ?? Number.NaN;
}

/** The middle one, the upper of two. */
export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

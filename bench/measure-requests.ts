import autocannon from 'autocannon';

export interface Request {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

const CONNECTIONS = 32;
const ROUND_S = 3;
const ROUNDS = 3;

/** Answers per second of two servers, in alternating rounds so that both see the same noise. */
export async function compareRequests(
  ours: Request,
  yardstick: Request,
): Promise<{ ours: number; yardstick: number }> {
  const rounds = { ours: [] as number[], yardstick: [] as number[] };
  // The first round warms the compilers and is thrown away.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = { yardstick: await rate(yardstick), ours: await rate(ours) };
    if (round === 0) continue;
    rounds.ours.push(rates.ours);
    rounds.yardstick.push(rates.yardstick);
  }
  return { ours: median(rounds.ours), yardstick: median(rounds.yardstick) };
}

async function rate(request: Request): Promise<number> {
  const result = await autocannon({ ...request, connections: CONNECTIONS, duration: ROUND_S });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${request.url}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result.requests.average;
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

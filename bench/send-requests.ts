import autocannon from 'autocannon';

export interface Request {
  path: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

const CONNECTIONS = 32;
const SECONDS = 3;

/**
 * Sends the requests in turn, again and again for a while, from a thread of its own.
 * @returns how many answers came
 * @throws on any error or refusal: a refusal is quick, and no result
 */
export async function sendRequests(origin: string, requests: Request[]): Promise<number> {
  const result = await autocannon({
    url: origin,
    requests,
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${origin}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result['2xx'];
}

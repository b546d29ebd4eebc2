import autocannon from 'autocannon';

export interface Request {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

const CONNECTIONS = 32;
const SECONDS = 3;

/**
 * Asks the same again and again for a while, from a thread of its own.
 * @returns how many answers came
 * @throws on any error or refusal: a refusal is quick, and no result
 */
export async function sendRequests(request: Request): Promise<number> {
  const result = await autocannon({
    ...request,
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${request.url}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result['2xx'];
}

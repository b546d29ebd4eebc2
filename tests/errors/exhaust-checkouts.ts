import type { APIRequestContext } from 'playwright-core';
import { expect } from 'vitest';
import { stopClock } from '../harness/stop-clock.ts';

/** More than anybody may begin within the time that is counted. */
const ENOUGH = 100;

/** Begins checkouts of a link, as the page whose requests these are, until there are too many for the rest of the test. */
export async function exhaustCheckouts(request: APIRequestContext, id: string): Promise<void> {
  stopClock();
  let status = 200;
  for (let count = 0; status === 200 && count < ENOUGH; count += 1) {
    const answer = await request.post('/prod/checkout', { data: { paywallId: id } });
    status = answer.status();
  }
  expect(status).toBe(429);
}

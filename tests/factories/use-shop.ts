import { beforeAll } from 'vitest';
import { createPersonAt, type Person, postJson, readJson } from '../harness/person.ts';
import type { Database } from '../harness/test-environment.ts';
import { useApp } from '../harness/use-app.ts';
import { signUp } from './factories.ts';

/**
 * One product for all tests of the surrounding `describe`, with its sandbox at this port, a seller,
 * and any number of buyers. What is not a function is there within tests.
 */
export function useShop(database: Database, sandboxPort: number) {
  /** How far the product's clock is ahead; milliseconds. */
  const clock = { ahead: 0 };
  const app = useApp({
    database,
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      PAYMENTS: 'sandbox',
      SANDBOX_PORT: String(sandboxPort),
    },
    overrides: { now: () => Date.now() + clock.ahead },
  });
  const seller = {} as Person;
  let addresses = 0;

  beforeAll(async () => {
    Object.assign(seller, await signUp(app));
  });

  /** Somebody whom no limit knows yet. */
  function newBuyer(): Person {
    addresses += 1;
    return createPersonAt(app, `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`);
  }

  /** The answer as it is. */
  const begin = (buyer: Person, paywallId: string, code?: string) =>
    postJson(buyer, '/prod/checkout', { paywallId, code });

  /** The address of the payment page. */
  async function checkOut(buyer: Person, id: string, code?: string): Promise<string> {
    return (await readJson<{ url: string }>(await begin(buyer, id, code))).url;
  }

  return { app, clock, seller, newBuyer, begin, checkOut };
}

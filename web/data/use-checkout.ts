import { useEffect, useState } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { type Checkout, checkoutFields } from './checkout.ts';
import { graphql } from './graphql.ts';
import { requestGraphql } from './request-graphql.ts';

const query = graphql(
  `query PollCheckout($sessionId: ID!) { getCheckout(sessionId: $sessionId) { ...CheckoutFields } }`,
  [checkoutFields],
);

/** The provider's answer is usually here within a second; after that, patience costs less. */
const QUICK_POLLS = 12;
const QUICK_MS = 250;
const SLOW_MS = 2500;
/** A payment under way may take days; the page stays true for whoever leaves it open. */
const PROCESSING_MS = 10_000;
const LATE_AFTER_POLLS = 40;

/** Asks until a checkout has settled or failed. `late`: it is open for longer than it should be. */
export function useCheckout(config: RuntimeConfig, first: Checkout | null) {
  const [checkout, setCheckout] = useState(first);
  const [polls, setPolls] = useState(0);
  const processing = checkout?.state === 'processing';
  const sessionId = checkout?.state === 'open' || processing ? checkout.sessionId : null;

  useEffect(() => {
    if (!sessionId) return;
    const timer = setTimeout(
      async () => {
        try {
          const { getCheckout } = await requestGraphql(config, query, { sessionId });
          if (getCheckout) setCheckout(getCheckout);
        } catch (error) {
          console.error(error);
        }
        setPolls(polls + 1);
      },
      pauseAfter(polls, processing),
    );
    return () => clearTimeout(timer);
  }, [config, sessionId, processing, polls]);

  return { checkout, late: polls >= LATE_AFTER_POLLS };
}

/** Milliseconds until the next poll. */
function pauseAfter(polls: number, processing: boolean): number {
  if (processing) return PROCESSING_MS;
  return polls < QUICK_POLLS ? QUICK_MS : SLOW_MS;
}

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
const LATE_AFTER_MS = 20_000;
/** The server answers within seconds: what takes longer was lost on the way, and is asked again. */
const ANSWER_MS = 15_000;

/** Asks until a checkout has settled or failed. `late`: it is open for longer than it should be. */
export function useCheckout(config: RuntimeConfig, first: Checkout | null) {
  const [checkout, setCheckout] = useState(first);
  const [polls, setPolls] = useState(0);
  const [late, setLate] = useState(false);
  const processing = checkout?.state === 'processing';
  const sessionId = checkout?.state === 'open' || processing ? checkout.sessionId : null;

  useEffect(() => {
    if (!sessionId) return;
    const timer = setTimeout(
      async () => {
        try {
          const signal = AbortSignal.timeout(ANSWER_MS);
          const { getCheckout } = await requestGraphql(config, query, { sessionId }, signal);
          if (getCheckout) setCheckout(getCheckout);
        } catch (error) {
          console.error(error);
        }
        setPolls(polls + 1);
        // Counted since the page was opened.
        setLate(performance.now() > LATE_AFTER_MS);
      },
      pauseAfter(polls, processing),
    );
    return () => clearTimeout(timer);
  }, [config, sessionId, processing, polls]);

  return { checkout, late };
}

/** Milliseconds until the next poll. */
function pauseAfter(polls: number, processing: boolean): number {
  if (processing) return PROCESSING_MS;
  return polls < QUICK_POLLS ? QUICK_MS : SLOW_MS;
}

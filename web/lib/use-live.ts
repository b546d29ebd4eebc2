import { useEffect, useEffectEvent } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import type { LiveSubscription } from './live-subscription.ts';
import { whenIdle } from './when-idle.ts';

interface Live<Data> {
  /** Those of the first render stay; what they do with an answer may change. */
  subscriptions: LiveSubscription[];
  /** Reloads the page's data, because messages may have been missed. */
  read(): Promise<Data>;
  show(data: Data): void;
}

/**
 * Keeps a page up to date while it is open. Loaded when the browser is idle: the page works without
 * it.
 */
export function useLive<Data>({ graphqlEndpoint, apiKey }: RuntimeConfig, live: Live<Data>): void {
  const describe = useEffectEvent(() => live.subscriptions);
  const take = useEffectEvent((index: number, data: unknown) =>
    live.subscriptions[index]?.next(data),
  );
  const read = useEffectEvent(() => live.read());
  const show = useEffectEvent((data: Data) => live.show(data));

  useEffect(() => {
    let left = false;
    let stop = () => {};
    const start = async () => {
      const { createCatchUp, keepLive } = await import('./keep-live.ts');
      const described = describe();
      if (left || described.length === 0) return;
      const catchUp = createCatchUp(
        () => read(),
        (data) => show(data),
      );
      const subscriptions = described.map(({ query, variables }, index) => ({
        query,
        variables,
        next(data: unknown) {
          catchUp.heard();
          take(index, data);
        },
      }));
      stop = keepLive({
        url: graphqlEndpoint.replace(/^http/, 'ws'),
        apiKey,
        subscriptions,
        catchUp: () => catchUp.run().catch(warn),
      });
    };
    whenIdle(() => {
      start().catch(warn);
    });
    return () => {
      left = true;
      stop();
    };
  }, [graphqlEndpoint, apiKey]);
}

function warn(error: unknown): void {
  console.warn('The page could not be brought up to date', error);
}

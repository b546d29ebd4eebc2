import { useEffect, useEffectEvent, useRef } from 'react';

/** Long enough that many sales at once are read as one. */
const WAIT_MS = 500;

/** Reloads what a change affects a moment later, once for all changes in that moment. */
export function useReadSoon(read: () => Promise<void>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readNow = useEffectEvent(() => read());
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      readNow().catch((error: unknown) =>
        console.warn('The page could not be brought up to date', error),
      );
    }, WAIT_MS);
  };
}

import { useEffect, useState } from 'react';
import { COUNT_UP_MS } from '../../contract/landing.ts';

/**
 * Counts from zero to the target once `started` is true. While it is undefined, as in the server's
 * HTML, and for those who want less motion, the value is the target.
 */
export function useCountUp(target: number, started: boolean | undefined): number {
  const [value, setValue] = useState(target);

  useEffect(() => {
    if (started === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    setValue(0);
    if (!started) return;
    const start = performance.now();
    const step = (now: number) => {
      const progress = Math.min((now - start) / COUNT_UP_MS, 1);
      setValue(Math.floor(progress * target));
      if (progress < 1) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [target, started]);

  return value;
}

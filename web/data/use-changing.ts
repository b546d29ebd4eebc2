import { useEffect, useState } from 'react';

/** Whether a value changed within the last moment, of so many milliseconds. */
export function useChanging(value: unknown, momentMs: number): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), momentMs);
    return () => clearTimeout(timer);
  }, [value, momentMs]);
  return settled !== value;
}

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False in the server's HTML and until the browser has taken it over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

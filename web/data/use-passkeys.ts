import { useSyncExternalStore } from 'react';
import { canHavePasskeys, knowsPasskeys } from './passkeys.ts';

const never = () => () => {};

/** Whether to offer passkeys. The server takes a browser to know them, as nearly every one does. */
export function usePasskeys(origin: string): boolean {
  return useSyncExternalStore(never, knowsPasskeys, () => true) && canHavePasskeys(origin);
}

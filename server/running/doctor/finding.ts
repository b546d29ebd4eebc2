export interface Finding {
  state: 'ok' | 'warning' | 'fault';
  /** What was found, in a sentence. */
  says: string;
  /** What to do about it, in a sentence; null where nothing is to be done. */
  remedy: string | null;
}

/** Null where there is nothing to examine. */
export type Examined = Promise<Finding | null>;

export const ok = (says: string): Finding => ({ state: 'ok', says, remedy: null });
export const warning = (says: string, remedy: string): Finding => ({
  state: 'warning',
  says,
  remedy,
});
export const fault = (says: string, remedy: string): Finding => ({ state: 'fault', says, remedy });

/** What a failed call said, which may hide it in its cause. */
export function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  if (cause) return reasonOf(cause);
  return (message || code || String(error)).replace(/\.$/, '');
}

/** Milliseconds: whoever says nothing for so long cannot be reached. */
export const PATIENCE_MS = 5_000;

import type { Said } from '../../../contract/fact.ts';

export interface Finding {
  state: 'ok' | 'warning' | 'fault';
  /** What was found, in a sentence. */
  says: Said;
  /** What to do about it, in a sentence; null where nothing is to be done. */
  remedy: Said | null;
}

export interface Check extends Finding {
  name: string;
}

/** Null where there is nothing to examine. */
export type Examined = Promise<Finding | null>;

export const ok = (says: Said): Finding => ({ state: 'ok', says, remedy: null });
export const warning = (says: Said, remedy: Said): Finding => ({
  state: 'warning',
  says,
  remedy,
});
export const fault = (says: Said, remedy: Said): Finding => ({ state: 'fault', says, remedy });

/**
 * What is found, by its name; none where there is nothing to examine.
 * @param remedy for what the examination itself stumbles over
 */
export async function examine(name: string, examined: Examined, remedy: Said): Promise<Check[]> {
  const found = await examined.catch((error: unknown) => fault(`${reasonOf(error)}.`, remedy));
  return found ? [{ name, ...found }] : [];
}

/** What a failed call said, which may hide it in its cause. */
export function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  if (cause) return reasonOf(cause);
  return (message || code || String(error)).replace(/\.$/, '');
}

/** Milliseconds: whoever says nothing for so long cannot be reached. */
export const PATIENCE_MS = 5_000;

import { DomainError } from './domain-error.ts';

/** A place in a list: what its order goes by, then an id, so that no two places are equal. */
export interface Place {
  values: number[];
  id: string;
}

/**
 * Where a page of a list ended, as its reader hands it back.
 * @param list and order of it, so that a token fits no other one; empty for the usual one
 */
export function writePageToken(list: string, { values, id }: Place): string {
  return Buffer.from(`${prefixOf(list)}${[...values, id].join('.')}`).toString('base64url');
}

/**
 * @param count how many values a place of this list has
 * @throws DomainError INVALID_INPUT for a text that is no token of this list in this order
 */
export function readPageToken(list: string, token: string, count: number): Place {
  const text = Buffer.from(token, 'base64url').toString();
  const prefix = prefixOf(list);
  const parts = text.startsWith(prefix) ? text.slice(prefix.length).split('.') : [];
  const id = parts.pop() ?? '';
  const isPlace =
    parts.length === count &&
    parts.every((part) => /^\d{1,15}$/.test(part)) &&
    /^[0-9a-f-]{8,36}$/.test(id);
  if (isPlace) return { values: parts.map(Number), id };
  throw new DomainError(
    'INVALID_INPUT',
    'The nextToken does not belong to this list in this order. Start without one.',
  );
}

const prefixOf = (list: string) => (list === '' ? '' : `${list}.`);

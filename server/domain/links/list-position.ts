import { DomainError } from '../domain-error.ts';
import type { LinkCondition } from './link-condition.ts';

/** A place in the list of links by time and id. */
export interface Position {
  /** UTC milliseconds. */
  createdAt: number;
  id: string;
}

/**
 * Conditions on the time, and where the page before ended, as the two ends of one range: given
 * both, a database begins to read at either.
 */
export function takeBounds(
  conditions: LinkCondition[],
  token: Position | null,
): { from: Position | null; before: Position | null; rest: LinkCondition[] } {
  let from: Position | null = null;
  let before = token;
  const rest: LinkCondition[] = [];
  for (const condition of conditions) {
    const { column, operator } = condition;
    if (column !== 'created_at' || operator === '!=' || operator === 'begins-with') {
      rest.push(condition);
      continue;
    }
    const time = Number(condition.value);
    if (operator !== '<' && operator !== '<=') {
      const start = startOf(operator === '>' ? time + 1 : time);
      if (!from || isBefore(from, start)) from = start;
    }
    if (operator !== '>' && operator !== '>=') {
      const end = startOf(operator === '<' ? time : time + 1);
      if (!before || isBefore(end, before)) before = end;
    }
  }
  return { from, before, rest };
}

/** No id comes before the empty one. */
const startOf = (createdAt: number): Position => ({ createdAt, id: '' });

const isBefore = (one: Position, other: Position) =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

export function writeToken({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt}.${id}`).toString('base64url');
}

/** @throws DomainError INVALID_INPUT for a text that is no token of this list */
export function readToken(token: string): Position {
  const match = /^(\d{1,15})\.([0-9a-f]{8})$/.exec(Buffer.from(token, 'base64url').toString());
  if (!match) throw new DomainError('INVALID_INPUT', 'The nextToken is not one of this list.');
  return { createdAt: Number(match[1]), id: match[2] as string };
}

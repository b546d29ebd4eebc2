import { GraphQLError } from 'graphql';

/** Of one answer, errors included: a hundred links with the longest texts are a third of it. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** Whether an answer is larger than MAX_ANSWER_BYTES, before it is written out. */
export function isTooLarge(answer: unknown): boolean {
  // Most answers are far from it, and known to be so without counting the bytes of each text.
  if (subtractBytes(answer, MAX_ANSWER_BYTES, atMost) >= 0) return false;
  return subtractBytes(answer, MAX_ANSWER_BYTES, Buffer.byteLength) < 0;
}

export function tooLarge(): GraphQLError {
  const mebibytes = MAX_ANSWER_BYTES / 1024 / 1024;
  return new GraphQLError(
    `The answer is larger than ${mebibytes} MiB. Ask for fewer links or fields at a time.`,
  );
}

/** UTF-8 takes three bytes at the most for a unit of UTF-16. */
const atMost = (text: string) => text.length * 3;

/** What is left of these bytes after a value; stops measuring below zero. */
function subtractBytes(value: unknown, bytes: number, measure: (text: string) => number): number {
  if (typeof value === 'string') return bytes - measure(value) - 2;
  if (typeof value !== 'object' || value === null) return bytes - 4;
  let left = bytes;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) break;
      left = subtractBytes(item, left - 1, measure);
    }
    return left;
  }
  for (const name in value) {
    if (left < 0) break;
    const inner = (value as Record<string, unknown>)[name];
    left = subtractBytes(inner, left - name.length - 4, measure);
  }
  return left;
}

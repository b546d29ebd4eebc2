import type { Mutant } from '../mutant.ts';

const answers = { tests: ['tests/client/client-answers.test.ts'] };
const transport = { ...answers, file: 'client/src/transport.ts' };
const webhooks = { ...answers, file: 'client/src/webhooks.ts', titles: 'webhooks.verify' };
const upload = { ...answers, file: 'client/src/upload.ts' };

export const mutants: Mutant[] = [
  {
    ...webhooks,
    fault: 'the client for programs takes a webhook that anyone signed',
    find: 'if (signature && (await crypto',
    replace: 'if (signature || (await crypto',
  },
  {
    ...webhooks,
    fault: 'the client for programs takes webhooks of last year',
    find: 'if (Math.abs(age) > TOLERANCE) {',
    replace: 'if (age < -TOLERANCE) {',
  },
  {
    ...webhooks,
    fault: 'the client for programs knows one secret of a webhook alone',
    find: 'of [secret].flat()) {',
    replace: 'of [secret].flat().slice(0, 1)) {',
  },
  {
    ...transport,
    fault: 'the client for programs refunds again where the shop was busy',
    find: 'if (!isRepeatable || repeats >= this.retries',
    replace: 'if (repeats >= this.retries',
  },
  {
    ...transport,
    fault: 'the client for programs waits for as long as it is told to',
    find: 'if (retryAfter > LONGEST_WAIT) throw error;',
    replace: 'if (retryAfter > LONGEST_WAIT * 1_000) throw error;',
    titles: 'might be done twice',
  },
  {
    ...transport,
    fault: 'the client for programs takes its key to wherever the shop leads',
    find: "redirect: 'manual',",
    replace: "redirect: 'follow',",
  },
  {
    ...transport,
    fault: 'the client for programs sends its key with what needs none',
    find: 'isAnonymous ? {} : this.#authority',
    replace: 'isAnonymous ? this.#authority : this.#authority',
  },
  {
    ...upload,
    fault: 'the client for programs sells a stream that is cut off',
    find: 'while (length < CHUNK_BYTES || start + length >= announced) {',
    replace: 'while (start + length < announced) {',
  },
  {
    ...upload,
    fault: 'the client for programs sends bytes again that arrived',
    tests: ['tests/client/client.test.ts'],
    find: 'return kept.subarray(offset - start);',
    replace: 'return kept;',
    titles: 'sqlite.+connection broke',
  },
];

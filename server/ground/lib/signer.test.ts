import { expect, test } from 'vitest';
import { z } from 'zod';
import { createSigner } from './signer.ts';

const TICKET = z.object({ id: z.string() });
const signer = createSigner('a secret', 'visits', TICKET);
const token = signer.sign({ id: 'ada' });

test('a token is read as it was signed', () => {
  expect(signer.read(token)).toEqual({ id: 'ada' });
});

test.each([
  ['of another secret', createSigner('another secret', 'visits', TICKET).sign({ id: 'ada' })],
  ['for another purpose', createSigner('a secret', 'calls', TICKET).sign({ id: 'ada' })],
  ['with another body', token.replace(/^[^.]+/, signer.sign({ id: 'eve' }).split('.')[0] ?? '')],
  ['without a signature', token.split('.')[0] ?? ''],
  ['with something behind', `${token}.`],
  ['with characters that a decoder skips', `${token}\n`],
  [
    'in the shape of another version',
    createSigner('a secret', 'visits', z.object({ name: z.string() })).sign({ name: 'ada' }),
  ],
])('a token %s is none', (_what, other) => {
  expect(signer.read(other)).toBeNull();
});

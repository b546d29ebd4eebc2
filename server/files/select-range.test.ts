import { expect, test } from 'vitest';
import { selectRange } from './send-blob.ts';

const SIZE = 1000;

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=0-99', 0, 99],
  ['bytes=999-999', 999, 999],
  ['bytes=500-', 500, 999],
  ['bytes=500-5000', 500, 999],
  ['bytes=-1', 999, 999],
  ['bytes=-5000', 0, 999],
  ['BYTES=1-2', 1, 2],
  ['bytes= 1-2 ', 1, 2],
  [`bytes=0-${'9'.repeat(30)}`, 0, 999],
])('%s is a part', (header, first, last) => {
  expect(selectRange(header, SIZE)).toEqual({ kind: 'part', first, last });
});

test.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', `bytes=${'9'.repeat(30)}-`])(
  '%s cannot be satisfied',
  (header) => {
    expect(selectRange(header, SIZE)).toEqual({ kind: 'unsatisfiable' });
  },
);

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=2-1',
  'bytes=a-b',
  'bytes=1.5-2',
  'bytes=0x1-2',
  'bytes=--1',
  'bytes=0-1,5-9',
  'items=0-1',
])('%j is answered with the whole', (header) => {
  expect(selectRange(header, SIZE)).toEqual({ kind: 'whole' });
});

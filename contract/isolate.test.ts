import { expect, test } from 'vitest';
import { isolate } from './isolate.ts';

test.each([
  ['Hebrew', 'עברית "קובץ" 7 (חדש)!'],
  ['Arabic', 'كتاب 7 (جديد)!'],
  ['Arabic in its presentation forms', 'ﻛﺘﺎﺏ!'],
  ['Syriac', 'ܟܬܒܐ!'],
  ["N'Ko", 'ߞߊߝߊ!'],
  ['Adlam', '\u{1e900}\u{1e922}!'],
  ['Rohingya', '\u{10d00}\u{10d01}!'],
  ['a Latin word beside it', 'Notes (עברית)'],
  ['a mark of direction', 'abc\u200f!'],
  ['a sign that turns what follows', 'abc\u202edef'],
])('a text in %s is laid out by itself among other words', (_, text) => {
  expect(isolate(text)).toBe(`\u2068${text}\u2069`);
});

test.each([
  '',
  'Study pack: 7 (new)!',
  'Ärger, “quotes” – and $5.00…',
  'Кириллица, Ελληνικά, 日本語, ไทย, हिन्दी, Հայերեն',
  '❤️ 👨‍👩‍👧 🇮🇱 𝓯𝓪𝓷𝓬𝔂',
])('%j stays as it is', (text) => {
  expect(isolate(text)).toBe(text);
});

test('each line by itself, since a line ends what was begun in it', () => {
  expect(isolate('שלום!\r\nHello\n\nעולם.')).toBe(
    '\u2068שלום!\u2069\r\nHello\n\n\u2068עולם.\u2069',
  );
});

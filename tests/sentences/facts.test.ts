import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fact, keepFact, putIntoEnglish, putIntoWords, readFact } from '../../contract/fact.ts';
import { formatBytes, sizeOf } from '../../contract/format.ts';
import { GERMAN } from '../../web/languages/german.ts';
import { createSpeech } from '../../web/languages/speech.ts';
import { findFacts } from './find-facts.ts';

const found = globSync('{contract,server,web}/**/*.{ts,tsx}', { exclude: ['**/*.test.ts'] }).map(
  (path) => ({ path, ...findFacts(path, readFileSync(path, 'utf8')) }),
);

test('each fact has its words in each language', () => {
  const untold = found.flatMap(({ path, texts }) =>
    texts.filter((text) => !(text in GERMAN)).map((text) => `${path}: ${text}`),
  );
  expect(untold).toEqual([]);
});

test('all that a fact may say stands in the code', () => {
  expect(found.flatMap(({ path, unknown }) => unknown.map((node) => `${path}: ${node}`))).toEqual(
    [],
  );
  expect(found.flatMap(({ texts }) => texts).length).toBeGreaterThan(200);
});

test.each([
  ["fact('Gone.')", ['Gone.'], []],
  ["fact(may === 'buy' ? 'Sold.' : 'Gone.')", ['Sold.', 'Gone.'], []],
  ["const A = texts({ a: ['One.', 'Two.'] }); fact(A[key ?? 'a'][0])", ['One.', 'Two.'], []],
  ["const A = texts(['One.']); const [one] = A; fact(one ?? 'None.')", ['None.', 'One.'], []],
  ["import { A } from './a.ts'; fact(A.gone)", [], []],
  ["const A = 'Gone.'; fact(A)", [], ['A']],
  ["const A = texts(['One.']); const b = A[0] ?? 'None.'; fact(b)", ['One.'], ['b']],
  ['const say = (words) => fact(words)', [], ['words']],
  ['fact(`Gone.`)', [], ['`Gone.`']],
])('of %s, the texts are found, and what is none', (source, texts, unknown) => {
  expect(findFacts('a.ts', source)).toEqual({ texts, unknown });
});

describe('a fact', () => {
  const german = createSpeech({ language: 'de', texts: GERMAN });
  const inGerman = (said: Parameters<typeof putIntoWords>[0]) =>
    putIntoWords(said, german).replaceAll('\u00a0', ' ');
  const at = Date.UTC(2026, 10, 30, 6, 5);

  test.each([
    [
      fact('Name a price of {price} or more.', { price: { cents: 123_450 } }),
      'Name a price of $1,234.50 or more.',
      'Nennen Sie einen Preis ab 1.234,50 $.',
    ],
    [
      fact('From {price}', { price: { cents: 123_450, alone: true } }),
      'From $1234.50',
      'Ab 1.234,50 $',
    ],
    [
      fact('This discount code can be used from {time}.', { time: { moment: at } }),
      'This discount code can be used from Nov 30, 2026, 06:05 UTC.',
      'Dieser Rabattcode gilt ab 30.11.2026, 06:05 UTC.',
    ],
    [
      fact('The number of uses must be from 1 to {limit}.', { limit: 10_000 }),
      'The number of uses must be from 1 to 10,000.',
      'Die Zahl der Verwendungen muss zwischen 1 und 10.000 liegen.',
    ],
    [
      fact('The password needs {missing}.', {
        missing: [
          fact('at least {count} characters', { count: 8 }),
          fact('a number'),
          fact('a symbol'),
        ],
      }),
      'The password needs at least 8 characters, a number, and a symbol.',
      'Das Passwort erfüllt noch nicht: mindestens 8 Zeichen, eine Zahl und ein Sonderzeichen.',
    ],
    [
      fact('{file} was downloaded: {sent} were sent.', {
        file: 'Notes, 2.4 MB.pdf',
        sent: sizeOf(2_400_000),
      }),
      'Notes, 2.4 MB.pdf was downloaded: 2.4 MB were sent.',
      'Notes, 2.4 MB.pdf wurde heruntergeladen: 2,4 MB wurden gesendet.',
    ],
    [
      fact('{why} It is tried again once you have changed the bank account, or in a day.', {
        why: { text: 'The account was closed.' },
      }),
      'The account was closed. It is tried again once you have changed the bank account, or in a day.',
      'The account was closed. Es wird erneut versucht, sobald Sie das Bankkonto geändert haben, oder in einem Tag.',
    ],
  ])('%j is said in both languages', (said, english, words) => {
    expect(putIntoEnglish(said)).toBe(english);
    expect(inGerman(said)).toBe(words);
  });

  test('is kept by a database, and read again', () => {
    expect(keepFact(fact('You canceled it.'))).toBe('You canceled it.');
    const size = sizeOf(2_000_000);
    expect(readFact(keepFact(size))).toEqual(size);
    expect(inGerman(readFact(keepFact(size)))).toBe('2,0 MB');
    expect(formatBytes(2_000_000)).toBe('2.0 MB');
    expect(readFact('{"text":and so on')).toEqual({ text: '{"text":and so on' });
  });

  test('isolates what is written from right to left', () => {
    expect(putIntoEnglish(fact('It is a gift to {email}.', { email: 'א@example.com' }))).toBe(
      'It is a gift to \u2068א@example.com\u2069.',
    );
  });

  test('leaves words that nobody can fill in as they are', () => {
    expect(inGerman('No sentence {of} ours')).toBe('No sentence {of} ours');
  });
});

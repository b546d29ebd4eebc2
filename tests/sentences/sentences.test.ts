import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GERMAN } from '../../web/languages/german.ts';
import { findSentences } from './find-sentences.ts';
import { FOR_PROGRAMS } from './for-programs.ts';

/** Rooms whose sentences are in English alone so far. One goes as soon as none is left in it. */
const TO_COME = [
  ...['contract/', 'server/'],
  // What other sites show of a link, and draw in English.
  'web/sharing/share-meta.ts',
];

/** What is the same in every language, or part of what a catalogue has whole, or nothing that is read. */
const IN_ANY_LANGUAGE = [
  ...['SHA-256', '{} UTC', '{} {} UTC', 'Padlink: {}', 'Deutsch', 'English', 'Stripe'],
  ...['audio file', 'text file', 'other file'],
  ...['?utm_source=newsletter', 'utm_medium', 'utm_campaign'],
  // For search engines and browsers.
  'textarea, input:not([type=file])',
  ...['noindex, follow', 'light dark', 'width=device-width, initial-scale=1'],
];

/** A sentence where numbers, moments and names are left out. */
const shapeOf = (sentence: string) =>
  sentence.replace(/\{\w*\}|[#@*]|\d[\d,.]*(?!\w)/g, '{}').replace(/\{\}(?:[ ,]+\{\})+/g, '{}');

const shapes = [...Object.keys(GERMAN), ...IN_ANY_LANGUAGE].map(shapeOf);
const told = new Set(shapes);

/** Whether a catalogue has it, or what the server may make of it. */
function isTold(sentence: string, path: string): boolean {
  const shape = shapeOf(sentence);
  if (told.has(shape)) return true;
  if (path.startsWith('web/') || !shape.includes('{}')) return false;
  const parts = shape.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.+')}$`);
  return shapes.some((known) => pattern.test(known));
}

function findUntold(files: string, exclude: string[], within?: RegExp): string[] {
  return globSync(files, { exclude: ['**/*.test.ts', ...exclude] }).flatMap((path) =>
    findSentences(path, readFileSync(path, 'utf8'), within)
      .filter(({ text }) => !isTold(text, path))
      .map(({ text, line }) => `${path}:${line} ${text}`),
  );
}

const isToCome = (found: string) => TO_COME.some((room) => found.startsWith(room));

const untold = findUntold('{web,contract}/**/*.{ts,tsx}', [
  'web/languages/**',
  // Of an installation that is tried out.
  'web/mails/mailbox.page.tsx',
  // For other sites, which ask in no language, and for whoever checks a receipt.
  'web/sharing/share-meta.ts',
  'contract/signed-receipt.ts',
]);

test('no sentence of a page or an email stands outside the catalogues', () => {
  expect(untold.filter((found) => !isToCome(found))).toEqual([]);
});

test('nobody is refused something in words that stand outside the catalogues', () => {
  const refusals = findUntold('server/**/*.ts', [], /^(?:DomainError|RateLimited|refused)$/);
  const isForPrograms = (found: string) => FOR_PROGRAMS.some((text) => found.endsWith(` ${text}`));
  const wrong = refusals.filter((found) => !isForPrograms(found) && !isToCome(found));
  expect(wrong).toEqual([]);
});

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GERMAN } from '../../web/languages/german.ts';
import { findSentences } from './find-sentences.ts';
import { FOR_PROGRAMS } from './for-programs.ts';

/** What is the same in every language, or part of what a catalog has whole, or nothing that is read. */
const IN_ANY_LANGUAGE = [
  ...['SHA-256', '{} UTC', '{} {} UTC', 'Padlink', 'Deutsch', 'English', 'Stripe', 'Web'],
  ...['Apple Pay', 'Google Pay', 'Cash App Pay', 'Amazon Pay', 'Alipay'],
  ...['?utm_source=newsletter', 'utm_medium', 'utm_campaign'],
  // For the log.
  'Failed to create checkout session',
  // For search engines and browsers.
  ...['textarea, input:not([type=file])', 'xMidYMid slice'],
  ...['noindex, follow', 'light dark', 'width=device-width, initial-scale=1'],
];

/** A sentence where numbers, moments and names are left out. */
const shapeOf = (sentence: string) =>
  sentence.replace(/\{\w*\}|\d[\d,.]*(?!\w)/g, '{}').replace(/\{\}(?:[ ,]+\{\})+/g, '{}');

const told = new Set([...Object.keys(GERMAN), ...IN_ANY_LANGUAGE].map(shapeOf));

function findUntold(files: string, exclude: string[], within?: RegExp): string[] {
  return globSync(files, { exclude: ['**/*.test.ts', ...exclude] }).flatMap((path) =>
    findSentences(path, readFileSync(path, 'utf8'), within)
      .filter(({ text }) => !told.has(shapeOf(text)))
      .map(({ text, line }) => `${path}:${line} ${text}`),
  );
}

const untold = findUntold('{web,contract}/**/*.{ts,tsx}', [
  'web/languages/**',
  // Of an installation that is tried out.
  'web/notices/mails/mailbox.page.tsx',
  // For other sites, which ask in no language, and for whoever checks a receipt.
  'web/selling/sharing/share-meta.ts',
  'contract/signed-receipt.ts',
]);

test('no sentence of a page or an email stands outside the catalogs', () => {
  expect(untold).toEqual([]);
});

/** What refuses something, and what makes such errors. */
const REFUSING = /^(?:DomainError|RateLimited|refused\w*|refusal|unavailable|problem)$/;

test('nobody is refused something in words that stand outside the catalogs', () => {
  const refusals = findUntold('server/**/*.ts', ['server/edge/http/describe-calls.ts'], REFUSING);
  const isForPrograms = (found: string) => FOR_PROGRAMS.some((text) => found.endsWith(` ${text}`));
  expect(refusals.filter((found) => !isForPrograms(found))).toEqual([]);
});

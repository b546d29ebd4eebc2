import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../contract/limits.ts';
import { ANSWER_BYTES, DEFAULT_ANSWER_BYTES } from '../server/api/answer-bounds.ts';
import { LIMITS } from '../server/api/rate-limits.ts';
import { createLink, signUp } from './factories.ts';
import type { Person } from './person.ts';
import { useApp } from './use-app.ts';

/** The rows of the table beneath a heading of docs/limits.md, without backticks. */
function readTable(heading: string): string[][] {
  const document = readFileSync('docs/limits.md', 'utf8');
  const [, section = ''] = document.split(`\n## ${heading}\n`);
  const [, , ...rows] =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? [];
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const columns = (rows: string[][], ...wanted: number[]) =>
  rows.map((row) => wanted.map((column) => row[column] ?? '')).sort();

function formatBytes(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${bytes / 1024 ** 3} GiB`;
  if (bytes >= 1024 ** 2) return `${bytes / 1024 ** 2} MiB`;
  return bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

function formatSeconds(seconds: number): string {
  const units = [
    [86_400, 'a day', 'days'],
    [3_600, 'an hour', 'hours'],
    [60, 'a minute', 'minutes'],
  ] as const;
  const [size, one, many] = units.find(([size]) => seconds % size === 0) ?? [1, '', 'seconds'];
  return seconds === size ? one : `${seconds / size} ${many}`;
}

/** In the unit that the constant's name ends with. */
function formatFigure(name: string, value: number): string {
  if (/_BYTES$/.test(name)) return formatBytes(value);
  if (/_MS$/.test(name)) return formatSeconds(value / 1_000);
  return value.toLocaleString('en-US');
}

const UNITS: Record<string, number> = { KIBIBYTE: 1024, MEBIBYTE: 1024 ** 2, GIBIBYTE: 1024 ** 3 };

/** The product of whole numbers that a constant is written as: `64 * 1024`. */
function multiply(expression: string): number {
  return expression
    .split('*')
    .map((part) => UNITS[part.trim()] ?? Number(part.trim().replaceAll('_', '')))
    .reduce((product, factor) => product * factor, 1);
}

describe('docs/limits.md', () => {
  test('names every limit of how often something may be done, with its figures', () => {
    const told = columns(readTable('How often'), 0, 1);
    const inCode = Object.entries(LIMITS).map(([name, windows]) => [
      name,
      windows
        .map(
          ([points, seconds]) => `${points.toLocaleString('en-US')} in ${formatSeconds(seconds)}`,
        )
        .join(', '),
    ]);
    expect(told).toEqual(inCode.sort());
  });

  test('names every answer that may be larger than others, with its bytes', () => {
    const told = columns(readTable('How large an answer may be'), 0, 1);
    const inCode = Object.entries(ANSWER_BYTES).map(([route, bytes]) => [
      route,
      formatBytes(bytes),
    ]);
    expect(told).toEqual([['every other', formatBytes(DEFAULT_ANSWER_BYTES)], ...inCode].sort());
  });

  test('names every constant that is called MAX_ in the server and its contract', () => {
    const told = columns(readTable('How much at once'), 0, 1, 2);
    const sources = globSync('{contract,server,sandbox}/**/*.ts', { exclude: ['**/*.test.ts'] });
    const inCode = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bconst (MAX_\w+) = ([^;]+);/g)].map(
        ([, name = '', expression = '']) => [name, formatFigure(name, multiply(expression)), file],
      ),
    );
    expect(told).toEqual(inCode.sort());
  });
});

describe('the longest texts that a creator can write', () => {
  const app = useApp();
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    // Each becomes five bytes in a page and six in the data beneath it.
    const longest = {
      title: '&<'.repeat(MAX_TITLE_LENGTH / 2),
      description: '&<'.repeat(MAX_DESCRIPTION_LENGTH / 2),
    };
    for (let number = 0; number < 50; number++) {
      const url = `https://example.com/${number}`;
      await createLink(seller, { type: 'link', url, ...longest });
    }
  });

  test.each(['/dashboard', '/explore', '/explore.atom'])(
    'leave %s within the bound of an answer',
    async (path) => {
      const answer = await seller.fetch(path);
      expect(answer.status).toBe(200);
      expect((await answer.text()).length).toBeGreaterThan(100_000);
    },
  );
});

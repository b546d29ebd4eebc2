import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../../contract/limits.ts';
import { PAGE_WEIGHTS } from '../../contract/pages.ts';
import { ANSWER_BYTES, DEFAULT_ANSWER_BYTES } from '../../server/edge/http/answer-bounds.ts';
import { LIMITS, type LimitName } from '../../server/edge/http/rate-limits.ts';
import { UNPROVEN_MAILS_A_DAY } from '../../server/people/accounts/mail-allowance.ts';
import { ACCOUNT_ROUTES } from '../../server/people/accounts/routes/account-routes.ts';
import { limitKey } from '../../server/people/accounts/routes/serve-account-route.ts';
import { createLink, signUp } from '../factories/factories.ts';
import type { Person } from '../harness/person.ts';
import { readTable } from '../harness/read-limits.ts';
import { useApp } from '../harness/use-app.ts';

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

/** What a constant is called that bounds how much there may be of something, or for how long. */
const BOUND =
  /\bconst (MAX_\w+|STALLED\w*_MS|FLOOR_\w+|MAILBOX_\w+|UNCONFIRMED_DAYS|\w*KEPT_FOR_MS|\w+_A_MINUTE|READ_AT_ONCE|REFRESHED_AT_ONCE\w*|\w+_EVERY_BYTES|NETWORK_SHARE|WITH_DELETED) = ([^;]+);/g;

/** Whether browsers that know an account have an allowance of their own beside that of strangers. */
function hasKnownBrowsersApart(name: string): boolean {
  const stranger = { account: 'a', address: 'b', sessionId: null, deviceId: null };
  const known = { ...stranger, deviceId: 'c' };
  return Object.values(ACCOUNT_ROUTES)
    .flatMap(({ limits = [] }) => (Array.isArray(limits) ? limits : limits({})))
    .filter((limit) => limit.name === name && !limit.isOfVisitor)
    .some((limit) => limitKey(limit, stranger)?.[0] !== limitKey(limit, known)?.[0]);
}

function dailyMost(limit: string): number {
  if (limit === 'UNPROVEN_MAILS_A_DAY.all') return UNPROVEN_MAILS_A_DAY.all;
  if (limit === 'UNPROVEN_MAILS_A_DAY.ofVisitor') return UNPROVEN_MAILS_A_DAY.ofVisitor;
  const windows = LIMITS[limit as LimitName];
  const ofOne = Math.min(...windows.map(([points, seconds]) => (points * 86_400) / seconds));
  return hasKnownBrowsersApart(limit) ? 2 * ofOne : ofOne;
}

const UNITS: Record<string, number> = { KIBIBYTE: 1024, MEBIBYTE: 1024 ** 2, GIBIBYTE: 1024 ** 3 };

/** The product of whole numbers that a constant is written as: `64 * 1024`. */
function multiply(expression: string): number {
  return expression
    .replace(/(\d+) \*\* (\d+)/, (_power, base, exponent) => String(base ** exponent))
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

  test('names every page, with the bytes of its scripts and its document', () => {
    const told = columns(readTable('How much a page weighs'), 0, 1, 2);
    const inCode = Object.entries(PAGE_WEIGHTS).map(([page, { scripts, document }]) => [
      page,
      scripts.toLocaleString('en-US'),
      document.toLocaleString('en-US'),
    ]);
    expect(told).toEqual(inCode.sort());
  });

  test('says of what strangers can have written how much a day the limits allow', () => {
    const rows = readTable('What strangers can have written');
    // tests/http/anonymous-rows.long.test.ts shows that the other ones bound.
    const limited = rows.filter(([, , , name = '']) => !name.startsWith('its '));
    expect(limited.length).toBeGreaterThan(10);
    for (const [, told, of, name = ''] of limited) {
      // Where another request is needed each time, its limit is meant.
      const needed = name.startsWith('that of ') ? name.slice('that of '.length) : null;
      const its = limited.find(
        (row) => row[0]?.split(', ').includes(needed ?? '') && row[2] === of,
      );
      const limit = needed === null ? name : (its?.[3] ?? '');
      expect([name, told]).toEqual([name, dailyMost(limit).toLocaleString('en-US')]);
    }
  });

  test('names every constant that bounds something, with its figure', () => {
    const told = columns(readTable('How much at once'), 0, 1, 2);
    const sources = globSync('{contract,server,sandbox}/**/*.ts', { exclude: ['**/*.test.ts'] });
    const inCode = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(BOUND)].map(([, name = '', expression = '']) => [
        name,
        formatFigure(name, multiply(expression)),
        file,
      ]),
    );
    expect(told).toEqual(inCode.sort());
  });
});

describe('the longest texts that a creator can write', () => {
  const app = useApp();
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    // Each becomes five bytes in a page and six in the data beneath it, and each mark three.
    const longest = {
      title: '&<'.repeat(MAX_TITLE_LENGTH / 2) + '\u20e3'.repeat(1_500 - MAX_TITLE_LENGTH),
      description:
        '&<'.repeat(MAX_DESCRIPTION_LENGTH / 2) + '\u20e3'.repeat(MAX_DESCRIPTION_LENGTH),
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

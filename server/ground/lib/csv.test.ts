import { expect, test } from 'vitest';
import { type Cell, writeRow } from './csv.ts';

const TIME = Date.UTC(2026, 10, 28, 12, 30, 0, 250);
const HEAD: Cell[] = [{ timesOf: 'time' }, 'amount', 'link_id', 'title'];
const ROW: Cell[] = [
  { time: TIME },
  { amount: '-1234.50' },
  { text: '00123456' },
  { text: 'A, "B"; C' },
];

test('a row for programs is as RFC 4180 has it', () => {
  expect(writeRow(HEAD, 'plain')).toBe('time,amount,link_id,title\r\n');
  expect(writeRow(ROW, 'plain')).toBe(
    '2026-11-28T12:30:00.250Z,-1234.50,00123456,"A, ""B""; C"\r\n',
  );
});

test('a row for spreadsheets has times that they read, and their separators', () => {
  expect(writeRow(HEAD, 'comma')).toBe('time (UTC),amount,link_id,title\r\n');
  expect(writeRow(ROW, 'comma')).toBe(
    '2026-11-28 12:30:00,-1234.50,"=""00123456""","A, ""B""; C"\r\n',
  );
  expect(writeRow(HEAD, 'semicolon')).toBe('time (UTC);amount;link_id;title\r\n');
  expect(writeRow(ROW, 'semicolon')).toBe(
    '2026-11-28 12:30:00;-1234,50;"=""00123456""";"A, ""B""; C"\r\n',
  );
  // Only what separates the cells has to be quoted.
  expect(writeRow(['a,b', 'a;b'], 'semicolon')).toBe('a,b;"a;b"\r\n');
  expect(writeRow(['a,b', 'a;b'], 'comma')).toBe('"a,b",a;b\r\n');
});

// Excel makes numbers, dates and times of these, in one country or another.
test.each([
  ...['00123456', '12345678', '12e00012', '1E5', '12345678901234567890', '1.234', '1,5', '50%'],
  ...['MAY-25', '10-12', '1/2', '2026-11', 'May 2024', '5. Mai 2024', '3 MAR 2026 2 PM', '12:30'],
  ...['$5', '(5)', '１２', 'सितंबर 25', '25 กุมภาพันธ์'],
])('a spreadsheet leaves the text %j as it is', (text) => {
  expect(writeRow([{ text }], 'comma')).toBe(`"=""${text}"""\r\n`);
  expect(writeRow([{ text }], 'plain')).toBe(`${/,/.test(text) ? `"${text}"` : text}\r\n`);
});

test.each(['1f2e3d4c', 'Größe', 'direct', 'Algebra 2 for beginners', 'news.example', ''])(
  'the text %j, of which no spreadsheet makes anything else, is no formula',
  (text) => {
    for (const form of ['plain', 'comma', 'semicolon'] as const) {
      expect(writeRow([{ text }], form)).toBe(`${text}\r\n`);
    }
  },
);

test('what is typed of a formula stays text, and ends no other', () => {
  for (const form of ['plain', 'comma', 'semicolon'] as const) {
    for (const sign of ['=', '+', '-', '@', '\t', '＝', '＠']) {
      expect(writeRow([{ text: `${sign}1` }], form)).toBe(`'${sign}1\r\n`);
    }
  }
  // Each quote stands twice in the formula, and that twice in the cell.
  const text = '1"&A1&"';
  expect(writeRow([{ text }], 'semicolon')).toBe('"=""1""""&A1&"""""""\r\n');
});

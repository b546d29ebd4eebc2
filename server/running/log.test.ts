import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  ANSWERS_A_MINUTE,
  createAnswerLog,
  createLog,
  KINDS_A_MINUTE,
  LOGGED_TEXT_LENGTH,
  SAME_LINES_A_MINUTE,
} from './log.ts';

const MINUTE = 60_000;
let lines: { level: number; msg: string; client?: string; err?: Record<string, unknown> }[];
let log: ReturnType<typeof createLog>;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
});
afterEach(() => {
  vi.useRealTimers();
});

const said = () => lines.map(({ msg }) => msg);

/** Thrown at one place, in other words each time. */
const fault = (words: string) => new Error(words);

test('what repeats within a minute is counted, and written again in the next', () => {
  for (let time = 1; time <= SAME_LINES_A_MINUTE + 1_234; time += 1) {
    log.child({ reqId: time }).error({ err: fault(`no row ${time}`) }, 'a request failed');
  }
  expect(said()).toEqual(Array(SAME_LINES_A_MINUTE).fill('a request failed'));
  expect(lines[0]?.err).toMatchObject({ message: 'no row 1', stack: expect.any(String) });
  vi.advanceTimersByTime(MINUTE);
  expect(lines.slice(SAME_LINES_A_MINUTE)).toEqual([
    expect.objectContaining({
      level: 50,
      msg: 'a request failed …and 1,234 more in a minute',
    }),
  ]);
  log.error({ err: fault('no row') }, 'a request failed');
  expect(said().at(-1)).toBe('a request failed');
  vi.advanceTimersByTime(MINUTE);
  expect(said().at(-1)).toBe('a request failed');
});

test('what differs is counted apart: faults, words, levels and clients', () => {
  const say = [
    () => log.error({ err: fault('gone') }, 'a request failed'),
    () => log.error({ err: new Error('gone') }, 'a request failed'),
    () => log.error({ err: fault('gone') }, 'a resolver failed'),
    () => log.warn({ err: fault('gone') }, 'a request failed'),
    () => log.warn({ client: '203.0.113.1' }, 'a sign-in failed'),
    () => log.warn({ client: '203.0.113.2' }, 'a sign-in failed'),
    () => log.warn({ err: undefined }, 'a sign-in failed'),
  ];
  for (let time = 0; time < 2 * SAME_LINES_A_MINUTE; time += 1) for (const one of say) one();
  expect(lines).toHaveLength(say.length * SAME_LINES_A_MINUTE);
  const first = lines.filter(({ client }) => client === '203.0.113.1');
  expect(first).toHaveLength(SAME_LINES_A_MINUTE);
  vi.advanceTimersByTime(MINUTE);
  expect(lines.filter(({ client }) => client === '203.0.113.1').at(-1)).toMatchObject({
    msg: `a sign-in failed …and ${SAME_LINES_A_MINUTE} more in a minute`,
  });
});

test('however many clients there are, the log is bounded, and says what else is wrong', () => {
  for (let number = 0; number < 100 * KINDS_A_MINUTE; number += 1) {
    log.warn({ client: `client ${number}` }, 'a sign-in failed');
  }
  expect(lines).toHaveLength(KINDS_A_MINUTE + SAME_LINES_A_MINUTE);
  log.error({ err: fault('gone') }, 'a request failed');
  expect(said().at(-1)).toBe('a request failed');
  vi.advanceTimersByTime(MINUTE);
  expect(said().slice(KINDS_A_MINUTE + SAME_LINES_A_MINUTE + 1)).toEqual([
    'other warnings and errors …and 19,795 more in a minute',
  ]);
});

test('however many kinds of warnings strangers cause, a fault of ours is written', () => {
  for (let number = 0; number < 2 * KINDS_A_MINUTE; number += 1) {
    log.error({ provider: 'stripe' }, `a webhook was refused: ${number}`);
    log.warn({ err: fault('gone') }, `a visitor left: ${number}`);
  }
  const before = lines.length;
  for (let time = 0; time < 10; time += 1) log.error({ err: fault('gone') }, 'a request failed');
  expect(said().slice(before)).toEqual(Array(SAME_LINES_A_MINUTE).fill('a request failed'));
  vi.advanceTimersByTime(MINUTE);
  expect(said()).toContain(`a request failed …and ${10 - SAME_LINES_A_MINUTE} more in a minute`);
});

test('what names neither client, request nor error is for the operator, and written each time', () => {
  for (let payment = 1; payment <= 8; payment += 1)
    log.warn({ payment }, 'a visitor paid one link twice');
  for (let time = 0; time < 8; time += 1)
    log.error('a part did not close in time and was left open');
  expect(lines).toHaveLength(16);
  for (let time = 0; time < 8; time += 1) {
    log.child({ reqId: time }).warn('a request was strange');
    log.error(fault('gone'));
  }
  expect(lines).toHaveLength(16 + 2 * SAME_LINES_A_MINUTE);
});

test('answers have a line each until there are too many in a minute, which are counted', () => {
  const logAnswer = createAnswerLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  for (let answer = 1; answer <= ANSWERS_A_MINUTE + 1_234; answer += 1) logAnswer({ status: 200 });
  expect(said()).toEqual(Array(ANSWERS_A_MINUTE).fill('answered'));
  vi.advanceTimersByTime(MINUTE);
  expect(said().slice(ANSWERS_A_MINUTE)).toEqual(['answered …and 1,234 more in a minute']);
  logAnswer({ status: 500 });
  expect(lines.at(-1)).toMatchObject({ status: 500, msg: 'answered' });
});

test('what only informs is written each time', () => {
  for (let time = 0; time < 100; time += 1) log.info('a mail left');
  expect(lines).toHaveLength(100);
});

test('a long error is cut, and whatever is thrown can be written', () => {
  const long = 'x'.repeat(100_000);
  log.error({ err: Object.assign(fault(long), { detail: long, query: { long } }) }, 'one');
  expect(JSON.stringify(lines).length).toBeLessThan(6 * LOGGED_TEXT_LENGTH);
  for (const err of [undefined, null, 'text', { error: 'invalid_client' }])
    log.error({ err }, 'two');
  expect(lines.at(-1)?.err).toEqual({ error: 'invalid_client' });
});

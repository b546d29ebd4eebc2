import { expect, test, vi } from 'vitest';
import { deliver } from './mails.ts';

function createLog() {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${message} ${Object.keys(fields).join()}`);
  };
  return { lines, warn: write('warn'), error: write('error') };
}

test('an accepted mail is sent once and not spoken of', async () => {
  const log = createLog();
  const send = vi.fn(async () => {});
  await deliver(send, log);
  expect(send).toHaveBeenCalledTimes(1);
  expect(log.lines).toEqual([]);
});

test('a refused mail is tried again', async () => {
  const log = createLog();
  const send = vi.fn(async () => {}).mockRejectedValueOnce(new Error('421 busy'));
  await deliver(send, log, [0, 0]);
  expect(send).toHaveBeenCalledTimes(2);
  expect(log.lines).toEqual(['warn an email was not accepted and will be tried again err']);
});

test('a mail that is never accepted is given up aloud, and nothing is thrown', async () => {
  const log = createLog();
  const send = vi.fn().mockRejectedValue(new Error('550 no'));
  await deliver(send, log, [0, 0]);
  expect(send).toHaveBeenCalledTimes(3);
  expect(log.lines.at(-1)).toBe('error an email was given up err');
});

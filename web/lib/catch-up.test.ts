import { expect, test, vi } from 'vitest';
import { createCatchUp } from './keep-live.ts';

/** Reads that answer when they are told to, in any order. */
function controlledReads() {
  const answers: ((state: string) => void)[] = [];
  const read = vi.fn(() => new Promise<string>((resolve) => answers.push(resolve)));
  return { answers, read };
}

test('what was read before a live answer came is read again', async () => {
  const { answers, read } = controlledReads();
  const show = vi.fn();
  const catchUp = createCatchUp(read, show);
  const done = catchUp.run();
  catchUp.heard();
  answers[0]?.('old');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('new');
  await done;
  expect(show).toHaveBeenCalledExactlyOnceWith('new');
});

test('of two reads at once only the later one is shown, whichever answers first', async () => {
  const { answers, read } = controlledReads();
  const show = vi.fn();
  const catchUp = createCatchUp(read, show);
  const both = [catchUp.run(), catchUp.run()];
  answers[1]?.('new');
  answers[0]?.('old');
  await Promise.all(both);
  expect(show).toHaveBeenCalledExactlyOnceWith('new');
});

import { expect, test } from 'vitest';
import { createKeptTexts } from './sitemap.ts';

test('a kept text is gone through once for all that left it, not once for each', async () => {
  let passes = 0;
  const texts = createKeptTexts(Date.now, (text, entries) => {
    passes += 1;
    const words = text.toString().split(' ');
    return Buffer.from(words.filter((word) => !entries.has(word)).join(' '));
  });
  const words = Array.from({ length: 100 }, (_, number) => `entry-${number}`);
  const read = async () =>
    (await texts.keep('words', async () => Buffer.from(words.join(' ')))).toString();
  expect(await read()).toBe(words.join(' '));
  for (const word of words.slice(1)) texts.leaveOut('words', word);
  texts.leaveOut('another', 'entry-0');
  expect(passes).toBe(0);
  const answers = await Promise.all([read(), read(), read()]);
  expect(answers).toEqual(['entry-0', 'entry-0', 'entry-0']);
  expect(await read()).toBe('entry-0');
  expect(passes).toBe(1);
});

import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('one caller a round has its turn, in the order they came, and others are served between', async () => {
  const takeTurn = createTurns();
  const served: string[] = [];
  const wait = async (name: string) => {
    await takeTurn();
    served.push(name);
    setImmediate(() => served.push(`after ${name}`));
  };
  await Promise.all(['one', 'two', 'three'].map(wait));
  expect(served).toEqual(['one', 'after one', 'two', 'after two', 'three']);
});

import { expect, test } from 'vitest';
import { gather } from './gather.ts';

/** Work that ends when it is told to. */
function openWork(atOnce?: () => number) {
  const begun: { items: string[]; end: PromiseWithResolvers<string> }[] = [];
  const ask = gather((items: string[]) => {
    const end = Promise.withResolvers<string>();
    begun.push({ items: [...items], end });
    return end.promise;
  }, atOnce);
  const turn = () => new Promise(setImmediate);
  return { begun, ask, turn };
}

test('who asks while it is done for others is served with the next', async () => {
  const { begun, ask, turn } = openWork();
  const first = [ask('a'), ask('b')];
  await turn();
  const later = [ask('c'), ask('d')];
  await turn();
  expect(begun.map(({ items }) => items)).toEqual([['a', 'b']]);
  begun[0]?.end.resolve('first');
  await turn();
  expect(begun.map(({ items }) => items)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  begun[1]?.end.resolve('second');
  expect(await Promise.all([...first, ...later])).toEqual(['first', 'first', 'second', 'second']);
});

test('a failure is of those it was done for alone', async () => {
  const { begun, ask, turn } = openWork();
  const first = ask('a');
  await turn();
  const second = ask('b');
  begun[0]?.end.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await turn();
  begun[1]?.end.resolve('whole');
  expect(await second).toBe('whole');
});

test('as many are under way as there is room for at that moment', async () => {
  let room = 2;
  const { begun, ask, turn } = openWork(() => room);
  for (const item of ['a', 'b', 'c']) {
    void ask(item);
    await turn();
  }
  expect(begun.map(({ items }) => items)).toEqual([['a'], ['b']]);
  room = 1;
  begun[0]?.end.resolve('');
  await turn();
  expect(begun).toHaveLength(2);
  begun[1]?.end.resolve('');
  await turn();
  expect(begun.map(({ items }) => items)).toEqual([['a'], ['b'], ['c']]);
});

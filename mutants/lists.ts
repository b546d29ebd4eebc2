import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Mutant } from './mutant.ts';

/** Every fault of `lists/`, in the order of the files' names. */
export async function readLists(): Promise<Mutant[]> {
  const files = globSync('lists/*.ts', { cwd: import.meta.dirname }).sort();
  const lists = await Promise.all(
    files.map(async (file): Promise<{ mutants: Mutant[] }> => {
      return import(resolve(import.meta.dirname, file));
    }),
  );
  return lists.flatMap(({ mutants }) => mutants);
}

/** @throws Error when the fault does not stand once in the source: the code has moved on. */
export function plant({ fault, file, find, replace }: Mutant, source: string): string {
  const places = source.split(find).length - 1;
  if (places === 1) return source.replace(find, () => replace);
  throw new Error(`"${fault}" must fit ${file} once, and fits it ${places} times.`);
}

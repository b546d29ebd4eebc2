import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = new URL('../docs/benchmarks.md', import.meta.url);

/** Puts each part into docs/benchmarks.md, in the place of the one with the same heading. */
export function writeParts(parts: string[]): void {
  const [intro = '', ...kept] = readFileSync(PAGE, 'utf8').split(/^(?=## )/m);
  const headings = new Map(
    [...kept, ...parts].map((part) => [part.split('\n', 1)[0], part.trim()]),
  );
  writeFileSync(PAGE, `${[intro.trim(), ...headings.values()].join('\n\n')}\n`);
}

import { readFileSync, writeFileSync } from 'node:fs';

/** The line between a table's titles and its rows. */
const TABLE_HEAD = /^(?:\|---)+\|\n/m;
const PAGE = new URL('../docs/benchmarks.md', import.meta.url);

/**
 * Puts each part into docs/benchmarks.md, in the place of the one with the same heading. With
 * `keepRows` the rows of a table that were not measured this time stay.
 */
export function writeParts(parts: string[], { keepRows }: { keepRows: boolean }): void {
  const [intro = '', ...kept] = readFileSync(PAGE, 'utf8').split(/^(?=## )/m);
  const written = new Map(kept.map((part) => [headingOf(part), part.trim()]));
  for (const part of parts) {
    const before = keepRows ? written.get(headingOf(part)) : undefined;
    written.set(headingOf(part), mergeRows(before ?? '', part).trim());
  }
  writeFileSync(PAGE, `${[intro.trim(), ...written.values()].join('\n\n')}\n`);
}

function headingOf(part: string): string {
  return part.split('\n', 1)[0] ?? '';
}

function mergeRows(before: string, part: string): string {
  const rows = new Map([...rowsOf(before), ...rowsOf(part)]);
  const [head = '', ...rest] = part.split(TABLE_HEAD);
  const after = rest
    .join('')
    .split('\n')
    .filter((line) => !line.startsWith('|'));
  const [rule = ''] = part.match(TABLE_HEAD) ?? [];
  return [head + rule + [...rows.values()].join('\n'), ...after].join('\n');
}

/** The lines below a table's head, by their first cell. */
function rowsOf(part: string): Map<string | undefined, string> {
  const lines = part.split(TABLE_HEAD)[1]?.split('\n') ?? [];
  return new Map(
    lines.filter((line) => line.startsWith('|')).map((line) => [line.split('|')[1], line]),
  );
}

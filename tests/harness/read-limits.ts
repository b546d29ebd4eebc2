import { readFileSync } from 'node:fs';

/** The rows of the table beneath a heading of a document, without backticks. */
export function readTable(heading: string, document = 'docs/limits.md'): string[][] {
  const [, section = ''] = readFileSync(document, 'utf8').split(`\n## ${heading}\n`);
  const [, , ...rows] =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? [];
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

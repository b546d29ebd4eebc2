import { readFileSync } from 'node:fs';

/** The rows of the table beneath a heading of docs/limits.md, without backticks. */
export function readTable(heading: string): string[][] {
  const document = readFileSync('docs/limits.md', 'utf8');
  const [, section = ''] = document.split(`\n## ${heading}\n`);
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

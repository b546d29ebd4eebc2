import { writeFileSync } from 'node:fs';
import { report } from './report.ts';
import type { Row } from './row.ts';
import { accounts } from './rows/accounts.ts';
import { download } from './rows/download.ts';
import { graphql } from './rows/graphql.ts';
import { html } from './rows/html.ts';
import { upload } from './rows/upload.ts';

const ROWS: Record<string, () => Promise<Row[]>> = { html, graphql, accounts, upload, download };

/** `npm run bench`, `npm run bench -- html`, `npm run bench -- --write` for docs/benchmarks.md. */
async function run(args: string[]): Promise<void> {
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const unknown = wanted.filter((name) => !ROWS[name]);
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}; there are ${Object.keys(ROWS)}.`);
  }
  const isPage = args.includes('--write');
  if (isPage && wanted.length > 0) throw new Error('The page holds every row: --write alone.');
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(ROWS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`Measuring ${name}…`);
    rows.push(...(await measure()));
  }
  const text = report(rows);
  console.log(`\n${text}`);
  if (isPage) writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), text);
}

await run(process.argv.slice(2));

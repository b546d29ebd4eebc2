import { measurePages } from './lighthouse/measure-pages.ts';
import { reportPages } from './lighthouse/report-pages.ts';
import { report } from './report.ts';
import type { Row } from './row.ts';
import { accounts } from './rows/accounts.ts';
import { download } from './rows/download.ts';
import { graphql } from './rows/graphql.ts';
import { html } from './rows/html.ts';
import { upload } from './rows/upload.ts';
import { writeParts } from './write-parts.ts';

const ROWS: Record<string, () => Promise<Row[]>> = { html, graphql, accounts, upload, download };
const PAGES = 'lighthouse';

/**
 * `npm run bench`, `npm run bench -- html`; with `--write` for docs/benchmarks.md, of which
 * `npm run bench -- lighthouse --write` writes that part alone.
 */
async function run(args: string[]): Promise<void> {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const known = [...Object.keys(ROWS), PAGES];
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}; there are ${known}.`);
  }
  const wanted = named.length > 0 ? named : known;
  const isPage = args.includes('--write');
  const names = wanted.filter((name) => name !== PAGES);
  if (isPage && names.length > 0 && names.length < Object.keys(ROWS).length) {
    throw new Error(`The page holds every row: --write alone, or ${PAGES} --write.`);
  }
  const parts: string[] = [];
  if (names.length > 0) parts.push(report(await measureRows(names)));
  if (wanted.includes(PAGES)) parts.push(reportPages(await measureNamed(PAGES, measurePages)));
  console.log(`\n${parts.join('\n')}`);
  if (isPage) writeParts(parts);
}

async function measureRows(names: string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(ROWS)) {
    if (names.includes(name)) rows.push(...(await measureNamed(name, measure)));
  }
  return rows;
}

function measureNamed<Result>(name: string, measure: () => Promise<Result>): Promise<Result> {
  console.log(`Measuring ${name}…`);
  return measure();
}

await run(process.argv.slice(2));

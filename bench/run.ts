import { createRunFolder } from '../tests/harness/run-folder.ts';
import { findLosses } from './check-published.ts';
import { measurePages } from './lighthouse/measure-pages.ts';
import { reportPages } from './lighthouse/report-pages.ts';
import { reportMemory } from './memory.ts';
import { report } from './report.ts';
import type { Row } from './row.ts';
import { accounts } from './rows/accounts.ts';
import { download } from './rows/download.ts';
import { graphql } from './rows/graphql.ts';
import { html } from './rows/html.ts';
import { s3 } from './rows/s3.ts';
import { start } from './rows/start.ts';
import { upload } from './rows/upload.ts';
import { reportRush } from './rush/rush.ts';
import { reportWebhooks } from './webhooks.ts';
import { writeParts } from './write-parts.ts';
import { reportWrites } from './writes.ts';

const ROWS: Record<string, () => Promise<Row[]>> = {
  start,
  html,
  graphql,
  accounts,
  upload,
  download,
  s3,
};
/** Parts of the page of their own. */
const PARTS: Record<string, () => Promise<string>> = {
  memory: reportMemory,
  webhooks: reportWebhooks,
  writes: reportWrites,
  rush: reportRush,
  lighthouse: async () => reportPages(await measurePages()),
};

/**
 * `npm run bench`, `npm run bench -- html`; with `--write` for docs/benchmarks.md, of which
 * `npm run bench -- lighthouse --write` writes that part alone, and `download --write` its rows; with
 * `--check` it fails for each row that misses its published ratio by more than a fifth, and for each
 * part that misses its target.
 */
async function run(args: string[]): Promise<void> {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const known = [...Object.keys(ROWS), ...Object.keys(PARTS)];
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}; there are ${known}.`);
  }
  const wanted = named.length > 0 ? named : known;
  const isPage = args.includes('--write');
  const isCheck = args.includes('--check');
  const names = wanted.filter((name) => name in ROWS);
  const parts: string[] = [];
  if (names.length > 0) {
    const rows = await measureRows(names, isCheck);
    parts.push(report(rows));
    if (isCheck) findLosses(rows).forEach(tellLoss);
  }
  for (const [name, measure] of Object.entries(PARTS)) {
    if (!wanted.includes(name)) continue;
    const part = await measureNamed(name, measure);
    parts.push(part);
    if (isCheck && MISSED.test(part)) tellLoss(`${name} misses its target.`);
  }
  console.log(`\n${parts.join('\n')}`);
  if (isPage) writeParts(parts, { keepRows: names.length < Object.keys(ROWS).length });
}

async function measureRows(names: string[], isCheck: boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of names) {
    const measure = ROWS[name] as () => Promise<Row[]>;
    let measured = await measureNamed(name, measure);
    // Something else may have kept the machine busy.
    if (isCheck && findLosses(measured).length > 0) measured = await measureNamed(name, measure);
    rows.push(...measured);
  }
  return rows;
}

/** What a part says of its target. */
const MISSED = /\bmissed\b/;

function tellLoss(loss: string): void {
  console.error(loss);
  process.exitCode = 1;
}

function measureNamed<Result>(name: string, measure: () => Promise<Result>): Promise<Result> {
  console.log(`Measuring ${name}…`);
  return measure();
}

// What tests keep in their folder, such as a store of files, ends with it.
const folder = createRunFolder();
await run(process.argv.slice(2)).finally(folder.remove);

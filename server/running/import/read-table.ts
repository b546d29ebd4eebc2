import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Options, parse } from 'csv-parse';
import { BackupRefused } from '../backup/backup-refused.ts';

/** A CSV file that begins with the names of its columns. */
export interface Table {
  path: string;
  /** Without its folder. */
  name: string;
  delimiter: string;
  /** In lower case, in their order. */
  columns: string[];
}

export interface TableRow {
  /** Of the file, the one with which the row ends; from 1. */
  line: number;
  /** What stands in the column of this name, in lower case; '' where nothing does. */
  cell(column: string): string;
}

/** An unclosed quotation mark would make one row of the rest of a file. */
const MAX_ROW_BYTES = 1024 ** 2;
const HEAD_BYTES = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];

/**
 * Opens a CSV file, or all of a folder.
 * @throws BackupRefused where there is none, or one that is not CSV in UTF-8
 */
export async function openTables(path: string): Promise<Table[]> {
  const found = await stat(path).catch(() => {
    throw new BackupRefused(`There is no file or folder ${path} that can be read.`);
  });
  if (!found.isDirectory()) return [await openTable(path)];
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const tables = names.filter((name) => /\.csv$/i.test(name)).sort();
  if (tables.length === 0) {
    throw new BackupRefused(`There is no file in ${path} whose name ends with .csv.`);
  }
  return Promise.all(tables.map((name) => openTable(join(path, name))));
}

async function openTable(path: string): Promise<Table> {
  const delimiter = await findDelimiter(path);
  for await (const { record } of readRecords({ path, delimiter }, { to: 1 })) {
    const columns = record.map((name) => name.trim().toLowerCase());
    return { path, name: basename(path), delimiter, columns };
  }
  throw new BackupRefused(`${path} is empty.`);
}

/** What the names of the columns are separated by. */
async function findDelimiter(path: string): Promise<string> {
  await using file = await open(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new BackupRefused(`${path} cannot be read (${code}).`);
  });
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  if (head.includes(0)) {
    throw new BackupRefused(
      `${path} is not text in UTF-8, but perhaps in UTF-16. Save it as “CSV UTF-8”.`,
    );
  }
  const unquoted = head.toString().replaceAll(/"[^"]*"/g, '');
  const [line = ''] = unquoted.split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/**
 * The rows below the names of the columns, one at a time.
 * @throws BackupRefused where the file is not CSV in UTF-8
 */
export async function* readRows(table: Table): AsyncGenerator<TableRow> {
  const places = new Map(table.columns.map((column, place) => [column, place] as const).reverse());
  for await (const { record, info } of readRecords(table, { from: 2 })) {
    yield {
      line: info.lines,
      cell: (column) => withoutGuard(record[places.get(column) ?? -1]?.trim() ?? ''),
    };
  }
}

/** An apostrophe keeps spreadsheets from taking a text for a formula. */
const withoutGuard = (text: string) => text.replace(/^'(?=[-=+@%|])/, '');

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

async function* readRecords(
  { path, delimiter }: Pick<Table, 'path' | 'delimiter'>,
  range: Pick<Options, 'from' | 'to'>,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    ...range,
    delimiter,
    info: true,
    max_record_size: MAX_ROW_BYTES,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  // What goes wrong in it ends the parser, and is thrown below.
  pipeline(readText(path), parser).catch(() => {});
  try {
    yield* parser;
  } catch (error) {
    const { code, lines } = error as { code?: unknown; lines?: number };
    if (!String(code).startsWith('CSV_')) throw error;
    const advice = 'See whether each quotation mark there is closed, and doubled within a text.';
    throw new BackupRefused(`${path}, line ${lines}, is not CSV (${code}). ${advice}`);
  }
}

async function* readText(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new BackupRefused(`${path} is not text in UTF-8. Save it as “CSV UTF-8”.`);
  }
}

/** @throws BackupRefused that names the file, and the column that it has not */
export function requireColumns(table: Table, ...columns: string[][]): void {
  for (const names of columns) {
    if (names.some((name) => table.columns.includes(name))) continue;
    const wanted = names.map((name) => `“${name}”`).join(' or ');
    throw new BackupRefused(
      `${table.path} has no column ${wanted}. Name it so in the first line, or export the file again with it.`,
    );
  }
}

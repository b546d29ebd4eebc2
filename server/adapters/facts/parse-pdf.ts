import { inflateSync } from 'node:zlib';
import type { FileFacts, ReadPart } from '../../files/file-facts.ts';

const WINDOW_BYTES = 64 * 1024;
const MAX_INFLATED_BYTES = 4 * 1024 ** 2;
/** Each change of a document that is appended to it adds a table. */
const MAX_TABLES = 50;

/** Where an object is: at a position of the file, or packed with others into a stream. */
type Place = { at: number } | { stream: number; index: number };

/** Looks an object up in one table, or says nothing. */
interface Table {
  find(object: number): Promise<Place | null>;
  trailer: string;
}

/** The number of pages that a PDF's root states. Only what leads to it is read. */
export async function parsePdf(read: ReadPart, size: number): Promise<FileFacts> {
  const head = (await read(0, 2048)).toString('latin1');
  const linearized = /\/Linearized\s[\s\S]*?\/N\s+(\d+)/.exec(head.split('endobj')[0] ?? '');
  if (linearized) return { pages: Number(linearized[1]) };
  const tail = (await read(Math.max(0, size - 2048), 2048)).toString('latin1');
  const start = /startxref\s+(\d+)/.exec(tail.slice(tail.lastIndexOf('startxref')))?.[1];
  const tables: Table[] = [];
  for (let at = start; at !== undefined && tables.length < MAX_TABLES; ) {
    const table = await openTable(read, Number(at));
    tables.push(table);
    at = /\/Prev\s+(\d+)/.exec(table.trailer)?.[1];
  }
  const root = reference(tables.find(({ trailer }) => /\/Root\s/.test(trailer))?.trailer, 'Root');
  const pages = reference(await readObject(read, tables, root), 'Pages');
  const count = /\/Count\s+(\d+)/.exec(await readObject(read, tables, pages))?.[1];
  return count === undefined ? {} : { pages: Number(count) };
}

function reference(dictionary = '', name: string): number {
  return Number(new RegExp(`/${name}\\s+(\\d+)\\s+\\d+\\s+R`).exec(dictionary)?.[1]);
}

async function openTable(read: ReadPart, at: number): Promise<Table> {
  const text = (await read(at, WINDOW_BYTES)).toString('latin1');
  return /^\s*xref/.test(text) ? openPlainTable(read, at) : openPackedTable(read, at);
}

/** A table of lines of 20 bytes, in sections. */
async function openPlainTable(read: ReadPart, start: number): Promise<Table> {
  const sections: { first: number; count: number; at: number }[] = [];
  let at =
    start + (/^\s*xref\s*/.exec((await read(start, 64)).toString('latin1'))?.[0].length ?? 0);
  for (;;) {
    const line = (await read(at, 64)).toString('latin1');
    const section = /^\s*(\d+)\s+(\d+)\s*?\r?\n/.exec(line);
    if (!section || sections.length >= MAX_TABLES) break;
    const [whole, first, count] = section;
    at += whole.length;
    sections.push({ first: Number(first), count: Number(count), at });
    at += Number(count) * 20;
  }
  const trailer = (await read(at, WINDOW_BYTES)).toString('latin1').split('startxref')[0] ?? '';
  return {
    trailer,
    async find(object) {
      const section = sections.find(
        ({ first, count }) => object >= first && object < first + count,
      );
      if (!section) return null;
      const entry = await read(section.at + (object - section.first) * 20, 20);
      const found = /^(\d{10}) \d{5} n/.exec(entry.toString('latin1'));
      return found ? { at: Number(found[1]) } : null;
    },
  };
}

/** The same as a stream of numbers of fixed widths. */
async function openPackedTable(read: ReadPart, at: number): Promise<Table> {
  const { dictionary, bytes } = await readStream(read, at);
  const widths = numbers(/\/W\s*\[([^\]]*)\]/.exec(dictionary)?.[1]);
  const [kindWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const width = kindWidth + secondWidth + thirdWidth;
  const index = numbers(/\/Index\s*\[([^\]]*)\]/.exec(dictionary)?.[1] ?? '0 10000000');
  const rows = undoPredictor(dictionary, bytes, width);
  return {
    trailer: dictionary,
    async find(object) {
      let row = 0;
      for (let place = 0; place + 1 < index.length; place += 2) {
        const [first = 0, count = 0] = index.slice(place, place + 2);
        if (object < first || object >= first + count) {
          row += count;
          continue;
        }
        const entry = rows.subarray((row + object - first) * width);
        const field = (from: number, length: number) =>
          entry.subarray(from, from + length).reduce((sum, byte) => sum * 256 + byte, 0);
        const kind = kindWidth === 0 ? 1 : field(0, kindWidth);
        const second = field(kindWidth, secondWidth);
        if (entry.length < width) return null;
        if (kind === 1) return { at: second };
        const third = field(kindWidth + secondWidth, thirdWidth);
        return kind === 2 ? { stream: second, index: third } : null;
      }
      return null;
    },
  };
}

const numbers = (text = '') => text.trim().split(/\s+/).map(Number);

/** Rows of which each states its difference from the one above, as in a PNG ("up"). */
function undoPredictor(dictionary: string, bytes: Buffer, width: number): Buffer {
  if (!/\/Predictor\s+1[0-5]/.test(dictionary)) return bytes;
  const rows = Buffer.alloc(Math.floor(bytes.length / (width + 1)) * width);
  for (let row = 0; row * width < rows.length; row += 1) {
    const isUp = bytes[row * (width + 1)] === 2;
    for (let column = 0; column < width; column += 1) {
      const above = isUp && row > 0 ? (rows[(row - 1) * width + column] ?? 0) : 0;
      rows[row * width + column] = (bytes[row * (width + 1) + 1 + column] ?? 0) + above;
    }
  }
  return rows;
}

async function readStream(read: ReadPart, at: number) {
  const head = await read(at, WINDOW_BYTES);
  const text = head.toString('latin1');
  const opening = /stream\r?\n/.exec(text);
  if (!opening) throw new Error('There is no stream');
  const dictionary = text.slice(0, opening.index);
  const from = at + opening.index + opening[0].length;
  const length = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary)?.[1]);
  const raw = await read(from, Math.min(length || WINDOW_BYTES, MAX_INFLATED_BYTES));
  const isPacked = /\/FlateDecode/.test(dictionary);
  const bytes = isPacked ? inflateSync(raw, { maxOutputLength: MAX_INFLATED_BYTES }) : raw;
  return { dictionary, bytes };
}

/** An object's text, up to its end; '' where it is not found. */
async function readObject(read: ReadPart, tables: Table[], object: number): Promise<string> {
  for (const table of tables) {
    const place = await table.find(object);
    if (!place) continue;
    if ('at' in place) {
      const text = (await read(place.at, WINDOW_BYTES)).toString('latin1');
      return text.split('endobj')[0] ?? '';
    }
    const packed = await findPacked(tables, place.stream);
    const { dictionary, bytes } = await readStream(read, packed);
    const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1]);
    const offsets = numbers(bytes.toString('latin1', 0, first));
    const from = first + (offsets[place.index * 2 + 1] ?? Number.NaN);
    const to = first + (offsets[place.index * 2 + 3] ?? bytes.length);
    return bytes.toString('latin1', from, to);
  }
  return '';
}

async function findPacked(tables: Table[], stream: number): Promise<number> {
  for (const table of tables) {
    const place = await table.find(stream);
    if (place && 'at' in place) return place.at;
  }
  throw new Error('A packed object is nowhere');
}

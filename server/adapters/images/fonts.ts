import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'harfbuzzjs';
import { ByteBoundedMap } from '../../ground/lib/byte-bounded-map.ts';

/** Lengths of its fonts are in thousandths of the font size. */
export interface Face {
  has(codePoint: number): boolean;
  /** @param weight 400 is regular */
  font(weight: number): Font;
  /** Whether its fonts are of all weights; otherwise all are regular. */
  isVariable: boolean;
}

interface Slice {
  file: string;
  /** Pairs of first and last code point. */
  ranges: number[];
}

interface Family {
  slices: Slice[];
  also?: RegExp;
}

const LATIN = '@fontsource-variable/instrument-sans';
const ALPHABETS = '@fontsource-variable/noto-sans';
const NOTO = (names: string[]) => names.map((name) => `@fontsource-variable/noto-sans-${name}`);
const [JAPANESE, CHINESE, KOREAN] = NOTO(['jp', 'sc', 'kr']) as [string, string, string];
const SCRIPTS = NOTO([
  ...['arabic', 'hebrew', 'bengali', 'gujarati', 'gurmukhi', 'kannada', 'malayalam', 'tamil'],
  ...['telugu', 'sinhala', 'thai', 'lao', 'khmer', 'myanmar', 'armenian', 'georgian', 'ethiopic'],
]);
const MATH = '@fontsource/noto-sans-math';
const SYMBOLS = [...NOTO(['symbols']), MATH, '@fontsource/noto-sans-symbols-2'];
/** The package lists only Latin ranges, and has one file with all of its signs. */
const IN_MATH = /[\p{S}\p{No}\p{M}]/u;

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const HAN = /\p{Script=Han}/u;
/** Letters that are set in one font throughout a text. */
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/** Of decompressed fonts. A title in Japanese needs about 1.5 MB of them. */
const CAPACITY_BYTES = 12 * 1024 * 1024;

/** Finds, for each sign of a text, the font that has it, and loads no others. */
export class Fonts {
  readonly #tools: Tools;
  readonly #families = new Map<string, Promise<Family>>();
  readonly #faces = new ByteBoundedMap<Promise<Face>>(CAPACITY_BYTES);

  private constructor(tools: Tools) {
    this.#tools = tools;
  }

  static async load(): Promise<Fonts> {
    const [harfbuzz, { default: decompress }] = await Promise.all([
      import('harfbuzzjs'),
      import('woff2-encoder/decompress'),
    ]);
    return new Fonts({ harfbuzz, decompress });
  }

  /**
   * The fonts for one text, the best first. Latin, Greek and Cyrillic letters are of one font; a text
   * in kana has Japanese Han signs, others Chinese ones.
   * @param signs the text, cut as it is to be looked up
   */
  async forText(signs: string[]): Promise<(sign: string) => Promise<Face | null>> {
    const text = signs.join('');
    const letters = signs.filter((sign) => ALPHABETIC.test(sign));
    const families = [ALPHABETS, ...orderOf(text)];
    const isLatin = await every(letters, (sign) => this.#find([LATIN], sign));
    const order = isLatin ? [LATIN, ...families] : [ALPHABETS, LATIN, ...families.slice(1)];
    return (sign) => this.#find(order, sign);
  }

  async #find(packages: string[], sign: string): Promise<Face | null> {
    const codePoints = [...sign]
      .filter((character) => !UNSEEN.test(character))
      .map((character) => character.codePointAt(0) as number);
    const [first = 0x20] = codePoints;
    for (const name of packages) {
      const { slices, also } = await this.#family(name);
      for (const slice of slices) {
        if (!isWithin(slice.ranges, first) && !also?.test(sign)) continue;
        const face = await this.#face(slice.file);
        if (codePoints.every((codePoint) => face.has(codePoint))) return face;
      }
    }
    return null;
  }

  #family(name: string): Promise<Family> {
    const known = this.#families.get(name);
    if (known !== undefined) return known;
    const family = readFamily(name);
    this.#families.set(name, family);
    // What the disk refused once may be read the next time.
    family.catch(() => this.#families.delete(name));
    return family;
  }

  #face(file: string): Promise<Face> {
    const known = this.#faces.get(file);
    if (known !== undefined) return known;
    const face = readFile(file)
      .then((packed) => this.#tools.decompress(packed))
      .then((font) => ({ face: openFace(this.#tools.harfbuzz, font), bytes: font.length }));
    const opened = face.then((opened) => opened.face);
    this.#faces.setSoon(
      file,
      opened,
      face.then(({ bytes }) => bytes),
    );
    return opened;
  }
}

interface Tools {
  harfbuzz: typeof import('harfbuzzjs');
  decompress(packed: Uint8Array): Promise<Uint8Array>;
}

/** Symbols of an East Asian text are as wide as its other signs. */
function orderOf(text: string): string[] {
  const others = [...SCRIPTS, ...SYMBOLS];
  if (HANGUL.test(text)) return [KOREAN, JAPANESE, CHINESE, ...others];
  if (KANA.test(text)) return [JAPANESE, CHINESE, KOREAN, ...others];
  if (HAN.test(text)) return [CHINESE, JAPANESE, KOREAN, ...others];
  return [...others, JAPANESE, CHINESE, KOREAN];
}

/** The slices of a package that is there: whoever lacks the room for one may remove it. */
async function readFamily(name: string): Promise<Family> {
  const folder = findPackage(name);
  if (folder === null) return { slices: [] };
  const list = await readFile(join(folder, 'unicode.json'), 'utf8');
  const [scope, family] = name.split('/') as [string, string];
  const cut = scope === '@fontsource' ? '400' : 'wght';
  const slices = Object.entries(JSON.parse(list) as Record<string, string>).map(
    ([subset, ranges]) => ({
      file: join(folder, `files/${family}-${subset.replace(/[[\]]/g, '')}-${cut}-normal.woff2`),
      ranges: ranges.split(',').flatMap(readRange),
    }),
  );
  return name === MATH ? { slices, also: IN_MATH } : { slices };
}

function findPackage(name: string): string | null {
  try {
    const manifest = findPackageJSON(name, import.meta.url);
    return manifest ? dirname(manifest) : null;
  } catch {
    return null;
  }
}

/** @param range "U+0000-00FF" or "U+131" */
function readRange(range: string): number[] {
  const [first, last = first] = range.slice(2).split('-') as [string, string?];
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

function isWithin(ranges: number[], codePoint: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (codePoint >= (ranges[at] as number) && codePoint <= (ranges[at + 1] as number)) return true;
  }
  return false;
}

function openFace({ Blob, Face, Font, Variation }: Tools['harfbuzz'], bytes: Uint8Array): Face {
  const face = new Face(new Blob(bytes));
  const weights = new Map<number, Font>();
  const font = (weight: number) => {
    const known = weights.get(weight);
    if (known) return known;
    const font = new Font(face);
    font.setScale(1000, 1000);
    font.setVariations([new Variation('wght', weight)]);
    weights.set(weight, font);
    return font;
  };
  const isVariable = 'wght' in face.getAxisInfos();
  return { has: (codePoint) => font(400).glyph(codePoint) !== undefined, font, isVariable };
}

async function every<Item>(items: Item[], test: (item: Item) => Promise<unknown>) {
  for (const item of items) if (!(await test(item))) return false;
  return true;
}

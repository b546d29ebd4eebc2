import type { Bidi } from 'bidi-js';
import type { Font } from 'harfbuzzjs';
import { type Face, Fonts } from './fonts.ts';

export interface TextStyle {
  /** Pixels. */
  fontSize: number;
  weight: 400 | 600;
  /** Pixels. */
  width: number;
  maxLines: number;
  /** Pixels between letters, of scripts in which they stand apart; 0 unless given. */
  letterSpacing?: number;
}

/** A text in lines. Lengths are in pixels. */
export interface TextBlock {
  fontSize: number;
  /** Of the longest line. */
  width: number;
  height: number;
  /** From the upper edge to the baseline of the first line. */
  baseline: number;
  /** How many lines the whole text would take. */
  lineCount: number;
  isRightToLeft: boolean;
  glyphs: Glyph[];
}

/** A shape of a font, placed with its origin at x and y from the left upper corner of the block. */
interface Glyph {
  /** SVG path data in thousandths of the font size, the y axis upward. */
  path: string;
  /** How much wider the path's lines are to be, because its font has no bolder ones. */
  stroke: number;
  x: number;
  y: number;
}

/** What a person sees as one sign, or a part of it that has another font. */
interface FoundSign {
  text: string;
  face: Face;
}

interface Sign extends FoundSign {
  /** In the text. */
  start: number;
}

type FindFace = (sign: string) => Promise<Face | null>;

/** A text as it can be shown, with a font for each of its signs. */
export interface ReadText {
  text: string;
  signs: Sign[];
  /** Of the ellipsis; null where no font has it. */
  ellipsis: Face | null;
}

interface Line {
  start: number;
  end: number;
}

interface Run extends Line {
  face: Face;
  level: number;
}

/** The lines of a text before they are drawn. Lengths are in thousandths of the font size. */
interface Analysis extends ReadText {
  levels: Uint8Array;
  breaks: Set<number>;
  /** Of the sign or ligature that starts at each place. */
  advances: Map<number, number>;
}

const LINE_HEIGHT = 1.12;
/** Between the lowest mark of a line and the highest of the next, as a part of the font size. */
const LEAST_GAP = 0.12;
/** What a semibold line is wider than a regular one, in thousandths of the font size. */
const BOLDER = 40;
/** For a row of signs that no font has. */
const MISSING = '□';
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('th', { granularity: 'word' });

/** Pictures that the page beside the card shows in color. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji_Modifier}|[\u{1f1e6}-\u{1f1ff}\u20e3]/u;
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}]/u;
/** Latin and Greek letters that formulas tell apart by their style, and titles use for bold type. */
const STYLED = /[\u{1d400}-\u{1d7ff}]/gu;
const VARIATION = /[\ufe0e\ufe0f]/g;
/** More marks on one letter than any language writes would reach beyond the picture. */
const STACKED = /(\p{Mn}{5})\p{Mn}+/gu;
/** Scripts without spaces between words, whose rules for lines need a dictionary. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Letters that may be moved closer without touching. */
const APART = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u;

/**
 * Sets texts in the world's scripts: finds fonts, orders what is written from right to left, breaks
 * lines and shapes letters.
 */
export class Typesetter {
  readonly #fonts: Fonts;
  readonly #tools: Tools;

  private constructor(fonts: Fonts, tools: Tools) {
    this.#fonts = fonts;
    this.#tools = tools;
  }

  static async load(): Promise<Typesetter> {
    const [fonts, { Buffer, Direction, shape }, { default: createBidi }, { default: LineBreaker }] =
      await Promise.all([
        Fonts.load(),
        import('harfbuzzjs'),
        import('bidi-js'),
        import('linebreak'),
      ]);
    return new Typesetter(fonts, {
      buffer: new Buffer(),
      Direction,
      shape,
      // Its types are those of an ES module, which it is not.
      bidi: (createBidi as unknown as () => Bidi)(),
      LineBreaker,
    });
  }

  /**
   * Finds the fonts of a text. Emoji are left out; of signs that no font has, a row becomes one box.
   * @returns null if nothing of it can be shown
   */
  async read(text: string): Promise<ReadText | null> {
    const plain = text.normalize('NFC').replace(STYLED, (letter) => letter.normalize('NFKC'));
    const cut = [...graphemes.segment(plain.replace(/\s+/g, ' '))]
      .map(({ segment }) => segment)
      .filter((sign) => !EMOJI.test(sign))
      .map((sign) => sign.replace(VARIATION, '').replace(STACKED, '$1'));
    const findFace = await this.#fonts.forText(cut);
    const box = await findFace(MISSING);
    const signs: FoundSign[] = [];
    let isSeen = false;
    for (const sign of cut) {
      const last = signs.at(-1)?.text ?? ' ';
      if (sign === ' ' && last === ' ') continue;
      const found = await this.#findFaces(findFace, sign);
      if (found) {
        signs.push(...found);
        isSeen ||= SEEN.test(sign);
      } else if (box && last !== MISSING) signs.push({ text: MISSING, face: box });
    }
    while (signs.at(-1)?.text === ' ') signs.pop();
    return isSeen ? joinSigns(signs, await findFace(ELLIPSIS)) : null;
  }

  /** The sign, what it is short for (1⁄3 for ⅓), or a letter and its marks, as fonts have them. */
  async #findFaces(findFace: FindFace, sign: string): Promise<FoundSign[] | null> {
    for (const parts of [[sign], [...sign.normalize('NFKC')], [...sign]]) {
      const found: FoundSign[] = [];
      for (const text of parts) {
        const face = await findFace(text);
        if (face) found.push({ text, face });
      }
      if (found.length === parts.length) return found;
    }
    return null;
  }

  /** Sets a text in lines, the last of which ends in an ellipsis if there are too many. */
  set(text: ReadText, style: TextStyle): TextBlock {
    const analysis = this.#analyze(text, style);
    const lines = breakLines(analysis, style);
    if (lines.length <= style.maxLines) return this.#draw(analysis, lines, style, lines.length);
    const { ellipsis } = text;
    const shortened = (count: number) => {
      const kept = text.signs.slice(0, count);
      while (/^[\s\p{Pd}\p{Po}]$/u.test(kept.at(-1)?.text ?? '')) kept.pop();
      if (ellipsis) kept.push({ text: ELLIPSIS, start: 0, face: ellipsis });
      const cut = joinSigns(kept, ellipsis);
      const analysis = this.#analyze(cut, style);
      return { analysis, lines: breakLines(analysis, style) };
    };
    let fits = 0;
    let tooMany = text.signs.length;
    while (tooMany - fits > 1) {
      const count = Math.floor((fits + tooMany) / 2);
      if (shortened(count).lines.length <= style.maxLines) fits = count;
      else tooMany = count;
    }
    const short = shortened(fits);
    return this.#draw(short.analysis, short.lines, style, lines.length);
  }

  #analyze(read: ReadText, style: TextStyle): Analysis {
    const { text, signs } = read;
    const { levels } = this.#tools.bidi.getEmbeddingLevels(text);
    const advances = new Map<number, number>();
    for (const run of cutRuns(signs, levels, { start: 0, end: text.length })) {
      for (const { cluster, advance } of this.#shape(text, run, style)) {
        advances.set(cluster, (advances.get(cluster) ?? 0) + advance);
      }
    }
    return { ...read, levels, breaks: this.#findBreaks(text), advances };
  }

  #findBreaks(text: string): Set<number> {
    const breaks = new Set<number>();
    const breaker = new this.#tools.LineBreaker(text);
    for (let found = breaker.nextBreak(); found; found = breaker.nextBreak()) {
      breaks.add(found.position);
    }
    for (const { 0: unspaced, index } of text.matchAll(UNSPACED)) {
      for (const word of words.segment(unspaced))
        if (word.index > 0) breaks.add(index + word.index);
    }
    return breaks;
  }

  #shape(text: string, run: Run, { fontSize, weight, letterSpacing = 0 }: TextStyle) {
    const { buffer, Direction, shape } = this.#tools;
    const { face, start, end, level } = run;
    const font = face.font(weight);
    buffer.clearContents();
    buffer.addText(text, start, end - start);
    buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR);
    buffer.guessSegmentProperties();
    shape(font, buffer);
    const spacing = APART.test(text.slice(start, end)) ? (letterSpacing * 1000) / fontSize : 0;
    const shaped = buffer.getGlyphInfosAndPositions();
    return shaped.map(({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }, at) => ({
      glyph: codepoint,
      font,
      cluster,
      xOffset,
      yOffset,
      stroke: face.isVariable || weight === 400 ? 0 : BOLDER,
      advance: xAdvance + (shaped[at + 1]?.cluster === cluster ? 0 : spacing),
    }));
  }

  #draw(analysis: Analysis, lines: Line[], style: TextStyle, lineCount: number): TextBlock {
    const { text, signs, levels } = analysis;
    const { fontSize } = style;
    const isRightToLeft =
      (this.#tools.bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) === 1;
    const drawn = lines.map((line) => {
      const glyphs: PlacedGlyph[] = [];
      let x = 0;
      for (const run of orderRuns(cutRuns(signs, levels, line))) {
        for (const { glyph, font, stroke, xOffset, yOffset, advance } of this.#shape(
          text,
          run,
          style,
        )) {
          glyphs.push({ glyph, font, stroke, x: x + xOffset, y: yOffset });
          x += advance;
        }
      }
      return { glyphs, advance: (x * fontSize) / 1000 };
    });
    const { above, below } = measureInk(drawn.flatMap(({ glyphs }) => glyphs));
    const lineHeight = Math.max(LINE_HEIGHT, above + below + LEAST_GAP) * fontSize;
    const baseline = (lineHeight + (above - below) * fontSize) / 2;
    const width = Math.max(...drawn.map(({ advance }) => advance));
    return {
      fontSize,
      width,
      height: lineHeight * lines.length,
      baseline,
      lineCount,
      isRightToLeft,
      glyphs: drawn.flatMap(({ glyphs, advance }, number) =>
        glyphs.map(({ glyph, font, stroke, x, y }) => ({
          path: font.glyphToPath(glyph),
          stroke,
          x: (isRightToLeft ? width - advance : 0) + (x * fontSize) / 1000,
          y: number * lineHeight + baseline - (y * fontSize) / 1000,
        })),
      ),
    };
  }
}

interface Tools {
  /** One for all: each takes memory that only the garbage collector gives back. */
  buffer: import('harfbuzzjs').Buffer;
  Direction: typeof import('harfbuzzjs').Direction;
  shape: typeof import('harfbuzzjs').shape;
  bidi: Bidi;
  LineBreaker: typeof import('linebreak').default;
}

interface PlacedGlyph {
  glyph: number;
  font: Font;
  stroke: number;
  x: number;
  y: number;
}

function joinSigns(signs: FoundSign[], ellipsis: Face | null): ReadText {
  let text = '';
  const placed = signs.map((sign) => {
    const start = text.length;
    text += sign.text;
    return { ...sign, start };
  });
  return { text, signs: placed, ellipsis };
}

/** The parts of a line that have one font and one direction, in the order in which they are read. */
function cutRuns(signs: Sign[], levels: Uint8Array, { start, end }: Line): Run[] {
  const runs: Run[] = [];
  for (const { text, start: at, face } of signs) {
    if (at < start || at >= end) continue;
    const level = levels[at] as number;
    const last = runs.at(-1);
    if (last?.face === face && last.level === level) last.end = at + text.length;
    else runs.push({ face, level, start: at, end: at + text.length });
  }
  return runs;
}

/** The runs of a line from left to right (rule L2 of Unicode's bidirectional algorithm). */
function orderRuns(runs: Run[]): Run[] {
  let ordered = runs;
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    const next: Run[] = [];
    let turned: Run[] = [];
    for (const run of ordered) {
      if (run.level >= level) turned.unshift(run);
      else {
        next.push(...turned, run);
        turned = [];
      }
    }
    ordered = [...next, ...turned];
  }
  return ordered;
}

/** Where a line may end, and where the next one then begins. */
interface Break {
  end: number;
  next: number;
  /** How much of the line so far would be on the next one. */
  carried: number;
}

/** Fills each line with what goes into it; a word longer than a line is broken between signs. */
function breakLines({ signs, breaks, advances }: Analysis, { width, fontSize }: TextStyle): Line[] {
  const room = (width * 1000) / fontSize;
  const lines: Line[] = [];
  let line = { start: 0, end: 0 };
  let used = 0;
  let lastBreak: Break | null = null;
  for (const { text, start } of signs) {
    let advance = 0;
    for (let at = start; at < start + text.length; at += 1) advance += advances.get(at) ?? 0;
    if (start > line.start && breaks.has(start)) {
      lastBreak = { end: line.end, next: start, carried: 0 };
    }
    while (text !== ' ' && used + advance > room && start > line.start) {
      const at: Break = lastBreak ?? { end: line.end, next: start, carried: 0 };
      lines.push({ start: line.start, end: at.end });
      line = { start: at.next, end: line.end };
      used = at.carried;
      lastBreak = null;
    }
    used += advance;
    if (lastBreak) lastBreak.carried += advance;
    if (text !== ' ') line.end = start + text.length;
  }
  lines.push(line);
  return lines;
}

/** How far glyphs reach above and below their baselines, in parts of the font size. */
function measureInk(glyphs: PlacedGlyph[]) {
  let above = 0;
  let below = 0;
  for (const { glyph, font, y } of glyphs) {
    const extents = font.glyphExtents(glyph);
    if (!extents) continue;
    above = Math.max(above, y + extents.yBearing);
    below = Math.max(below, -(y + extents.yBearing + extents.height));
  }
  return { above: above / 1000, below: below / 1000 };
}

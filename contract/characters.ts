/** Controls, line ends, signs that turn the reading direction, and what is no character at all. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\p{Cs}\p{NChar}]/u;

/**
 * Whether a text holds what could make a page read differently from what it says, or what breaks
 * formats that are made of characters, such as XML.
 */
export function holdsControls(text: string): boolean {
  return CONTROLS.test(text);
}

/** Space, signs that nothing is drawn for, marks, which need a letter, and what is no character. */
const UNSEEN = /^[\s\p{M}\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{NChar}\u2800\ufffc]*$/u;

/** Whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return UNSEEN.test(text);
}

/** A text, or null where nothing of it can be seen: earlier versions kept such names and titles. */
export function seenText(text: string | null): string | null {
  return text === null || isBlank(text) ? null : text;
}

/**
 * UTF-16 units that so many characters may take. The longest emoji take fifteen, and marks pile up on
 * a letter without end: a short text may hold as many of them as it likes, a long one a few.
 */
const roomFor = (most: number) => Math.max(1_500, 2 * most);

/** The beginning of a text, of at most so many characters. */
export function cutCharacters(text: string, most: number): string {
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  let count = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    count += 1;
    if (count > most || index + segment.length > roomFor(most)) return text.slice(0, index);
  }
  return text;
}

/**
 * Whether a text has more characters as a person counts them: an emoji of several parts is one, and so
 * is a letter with its marks, however both are written. Every limit of what people write is counted so.
 */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && cutCharacters(text, most) !== text;
}

/** As much of a text as fits where UTF-16 units are counted: what others set a limit for. */
export function fitUnits(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

const ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}][.。．｡]\p{L}{2}/iu;

/** Whether mail programs would make a link of something in a text. */
export function holdsAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Leaves out what no XML 1.0 document may hold, not even as a reference. */
export function dropForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}

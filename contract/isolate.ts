/** What is written from right to left, by blocks of Unicode, and signs that turn the direction. */
const TURNS =
  /[\u0590-\u08ff\p{Bidi_C}\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What begins and ends such a part of a text. */
const ISOLATES = /[\u2066-\u2069]/g;

/**
 * A text that somebody wrote, as it may stand among other words: each line that could turn them round
 * is laid out by itself, in the direction of its first letter (U+2068 to U+2069), whatever of these
 * signs is in it. All others stay as they are.
 */
export const isolate = (text: string): string =>
  text.replace(/.+/g, (line) =>
    TURNS.test(line) ? `\u2068${line.replace(ISOLATES, '')}\u2069` : line,
  );

/** What the card's fonts have glyphs for: Latin, as in the fonts folder. */
const COVERED =
  /^[\u0020-\u007e\u00a0-\u00a3\u00a5\u00a7-\u00ab\u00ae-\u00b0\u00b4\u00b6-\u00b8\u00ba-\u00bb\u00bf-\u0107\u010a-\u0113\u0116-\u011b\u011e-\u0123\u0126-\u0127\u012a-\u012b\u012e-\u0133\u0136-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u015b\u015e-\u0161\u0164-\u0165\u016a-\u017e\u01cd-\u01ce\u0218-\u021b\u1e80-\u1e85\u1e9e\u1ef2-\u1ef3\u2013-\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039-\u203a\u20ac\u2122\u2191\u2193\u2212]+$/u;

const PICTOGRAPHS =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{1f1e6}-\u{1f1ff}]|\u200d|\ufe0f|\u20e3/gu;

/**
 * A text as a card can show it, without emoji; null where the fonts lack other characters of it:
 * other words are better than boxes.
 */
export function readableOnCard(text: string | null): string | null {
  const words = text?.replace(PICTOGRAPHS, '').replace(/\s+/g, ' ').trim();
  return words && COVERED.test(words) ? words : null;
}

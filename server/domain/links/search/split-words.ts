/** Scripts that put no space between words: there each character is a word. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{Emoji_Presentation}`;
const WORD = new RegExp(
  String.raw`[[${UNSPACED}]--\p{M}]\p{M}*|[[\p{L}\p{M}\p{N}]--[[${UNSPACED}]--\p{M}]]+`,
  'gv',
);
/** Accents and vowel points that are left out in writing; in other scripts a mark is a letter. */
const ACCENTS = /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;
/** Letters that Unicode does not take apart, as people without them on the keyboard write them. */
const STROKES: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', þ: 'th' };
/** Longer words are told apart by their beginning alone. */
const MAX_WORD_LENGTH = 40;

/**
 * The words of a text in order, without case and accents: "Łódź's CAFÉ" -> lodz, s, cafe. They
 * consist of letters, marks and digits alone, whatever the text holds.
 */
export function splitWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    // Both: ß only has the capital SS, and a sigma at the end is another one.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/\p{Cf}/gu, '')
    .replace(/[øłđæœþ]/g, (letter) => STROKES[letter] ?? letter)
    .normalize('NFKC');
  return (folded.match(WORD) ?? []).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join(''));
}

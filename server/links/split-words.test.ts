import { expect, test } from 'vitest';
import { splitWords } from './index-words.ts';

test.each([
  ['', []],
  ['The  Complete Guide, 2nd ed.', ['the', 'complete', 'guide', '2nd', 'ed']],
  ['CAFÉ Łódź Ångström smørrebrød', ['cafe', 'lodz', 'angstrom', 'smorrebrod']],
  ['Straße STRASSE', ['strasse', 'strasse']],
  ['İstanbul', ['istanbul']],
  ['ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
  ['ЁЛКА', ['елка']],
  ['كِتَاب', ['كتاب']],
  ['שָׁלוֹם', ['שלום']],
  ['हिन्दी गिटार', ['हिन्दी', 'गिटार']],
  ['한글 책', ['한글', '책']],
  [
    '日本語ガイド',
    ['日', '本', '語', 'カ\u3099', 'イ', 'ト\u3099'].map((word) => word.normalize('NFC')),
  ],
  ['guitar🎸tabs', ['guitar', '🎸', 'tabs']],
  ['ﬁnance ① ℌ', ['finance', '1', 'h']],
  ['soft\u00adhyphen', ['softhyphen']],
  [
    '"a" OR b* -c:d ^e (f) \u0000 \'g\' & h | !i',
    ['a', 'or', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
  ],
  ['?!… — ""', []],
  ['x'.repeat(50), ['x'.repeat(40)]],
])('%j is split into the words it is found by', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

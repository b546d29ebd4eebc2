import { expect, test } from 'vitest';
import { wordsToFind, wordsToIndex } from './index-words.ts';

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
  ['ギターTAB譜', ['キ\u3099', 'タ', 'ー', 'tab', '譜'].map((word) => word.normalize('NFC'))],
  ['☀️Summer ❤️ 1️⃣', ['☀', 'summer', '❤', '1']],
  ['Norðurljós GROẞE', ['nordurljos', 'grosse']],
  ['e-book T-Shirt don’t', ['ebook', 'tshirt', 'dont']],
  ['guitar-tabs snake_case', ['guitar', 'tabs', 'snake', 'case']],
])('%j is looked for by its words', (text, words) => {
  expect(wordsToFind(text)).toEqual(words);
});

test.each([
  ['E-Book: Don’t panic', ['ebook', 'book', 'dont', 'panic']],
  ['T-Shirt', ['tshirt', 'shirt']],
  ['Ærø', ['aero', 'aro', 'aeroe']],
  ['Øl für Müller', ['ol', 'oel', 'fur', 'fuer', 'muller', 'mueller']],
  ['Smörgås', ['smorgas', 'smoergaas']],
  ['Straße', ['strasse']],
])('%j is found by whatever people type of it', (text, typed) => {
  expect(wordsToIndex([text])).toEqual(expect.arrayContaining(typed));
});

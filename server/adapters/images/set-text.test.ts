import { beforeAll, describe, expect, test } from 'vitest';
import { type TextBlock, type TextStyle, Typesetter } from './set-text.ts';

const STYLE: TextStyle = { fontSize: 50, weight: 600, width: 500, maxLines: 4 };

describe('a text that is set in lines', () => {
  let typesetter: Typesetter;

  beforeAll(async () => {
    typesetter = await Typesetter.load();
  });

  const read = async (text: string) => (await typesetter.read(text))?.text ?? null;
  async function set(text: string, style: Partial<TextStyle> = {}): Promise<TextBlock> {
    const found = await typesetter.read(text);
    if (!found) throw new Error(`Nothing of ${text} can be shown.`);
    return typesetter.set(found, { ...STYLE, ...style });
  }
  const pathsOf = ({ glyphs }: TextBlock) => glyphs.map(({ path }) => path);
  /** How many glyphs each line has, spaces included. */
  const countByLine = ({ glyphs }: TextBlock) =>
    [...Map.groupBy(glyphs, ({ y }) => Math.round(y)).values()].map((line) => line.length);

  test.each([
    ...['½ price', 'x² formula', '10 µm', '№ 5', '≤ 5', '√2 ≈ 1.41 ± ∞', 'Café → Bar', 'C♯ minor'],
    ...[
      '₹ INR guide',
      'Title ™ ® ©',
      'Done ✓ ★ ☎ ❤',
      'Việt Nam',
      'Żółć, naïve',
      'Ελληνικά',
      'Їжак',
    ],
    ...['עברית "קובץ" 7 (חדש)!', 'كتاب الرياضيات، ٢', 'برنامه‌نویسی', 'हिन्दी व्याकरण', 'বাংলা ব্যাকরণ'],
    ...['தமிழ் இலக்கணம்', 'తెలుగు', 'ಕನ್ನಡ', 'മലയാളം', 'ગુજરાતી', 'ਪੰਜਾਬੀ', 'සිංහල', 'ภาษาไทย'],
    ...[
      'ລາວ',
      'ខ្មែរ',
      'မြန်မာ',
      'ქართული',
      'Հայերեն',
      'አማርኛ',
      '数学の教科書「第２版」',
      '高等数学学习指南',
    ],
    ...['國語教科書', '한국어 문법', 'x\u0302'],
  ])('has fonts for all of %s', async (title) => {
    expect(await read(title)).toBe(title.normalize('NFC'));
    const drawn = pathsOf(await set(title)).join('');
    for (const sign of new Set(title.normalize('NFC').replace(/[\s\u200c]/g, ''))) {
      const other = await set(title.normalize('NFC').replaceAll(sign, ''));
      expect.soft(pathsOf(other).join(''), sign).not.toBe(drawn);
    }
  });

  test('says otherwise what no font has, shows a row of other such signs as one box, and leaves emoji out', async () => {
    expect(await read('Epic of \u{12000}\u{12001}\u{12002} now \u{12000}')).toBe('Epic of □ now □');
    expect(await read('H₂O ⅓ \u{1d5d5}\u{1d5fc}ld')).toBe('H2O 1⁄3 Bold');
    expect(await read('Żółć, 🎉👩🏽‍🚀 naïve 1️⃣ 🇩🇪')).toBe('Żółć, naïve');
    expect(await read('❤️ it\n\tall ')).toBe('❤ it all');
    for (const nothing of ['\u{12000}\u{12001}', '🎉', ' ', '\u200b']) {
      expect(await read(nothing), nothing).toBeNull();
    }
  });

  test('runs from right to left where its first letter does', async () => {
    const place = (block: TextBlock, path: string | undefined) =>
      block.glyphs.filter((glyph) => glyph.path === path).map(({ x }) => x);
    const block = await set('עברית "קובץ" 7 (חדש)!', { width: 900 });
    expect(block.isRightToLeft).toBe(true);
    const xs = block.glyphs.map(({ x }) => x);
    const [mark] = pathsOf(await set('!'));
    const [first] = pathsOf(await set('ע'));
    const [seven] = pathsOf(await set('7'));
    const [opening, closing] = pathsOf(await set('()'));
    expect(place(block, mark)).toEqual([Math.min(...xs)]);
    expect(place(block, first)).toEqual([Math.max(...xs)]);
    // Brackets are mirrored: what opens on the right looks like what closes in Latin.
    const [left = 0] = place(block, opening);
    const [right = 0] = place(block, closing);
    expect(left).toBeLessThan(right);
    expect(right).toBeLessThan(place(block, seven)[0] ?? 0);
    // A comma after a Latin word belongs to the Hebrew around it.
    const mixed = await set('מדריך Excel, חלק', { width: 900 });
    const [comma] = pathsOf(await set(','));
    const [capital] = pathsOf(await set('E'));
    expect(place(mixed, comma)[0]).toBeLessThan(place(mixed, capital)[0] ?? 0);
    expect((await set('Excel מדריך')).isRightToLeft).toBe(false);
  });

  test('joins Arabic letters, and shapes those of India', async () => {
    // One letter at the beginning of a word, in it and at its end, each with the same dot.
    const joined = new Set(pathsOf(await set('ببب')));
    expect(joined.size).toBe(4);
    const [alone = ''] = pathsOf(await set('ب')).filter((path) => !joined.has(path));
    expect(alone).not.toBe('');
    expect(pathsOf(await set('क्ष'))).toHaveLength(1);
    // The vowel is read after the consonant and written before it.
    const [consonant] = pathsOf(await set('क'));
    expect(pathsOf(await set('कि'))[1]).toBe(consonant);
    // Letters that touch are not moved.
    for (const text of ['كتب', 'हिन्दी']) {
      expect((await set(text, { letterSpacing: -2 })).width).toBe((await set(text)).width);
    }
  });

  test('is broken where its script allows, and within its width', async () => {
    // No line begins with a full stop.
    expect(countByLine(await set('数学の本。', { width: 210 }))).toEqual([3, 2]);
    expect(countByLine(await set('数学の本の', { width: 210 }))).toEqual([4, 1]);
    // Between words, which are written without spaces: ภาษาไทย is ภาษา and ไทย.
    const { width } = await set('ภาษาไท');
    expect(countByLine(await set('ภาษาไทย', { width }))).toEqual([4, 3]);
    expect(countByLine(await set('one two', { width: 120 }))).toEqual([3, 3]);
    // A word that is too long is broken between signs, of which none is cut.
    const flags = 'e\u0302\u0323'.repeat(60);
    for (const text of [flags, 'ab'.repeat(80), 'กำ'.repeat(50)]) {
      const block = await set(text, { maxLines: 9 });
      expect(block.lineCount).toBeGreaterThan(2);
      expect(block.width).toBeLessThanOrEqual(STYLE.width);
    }
  });

  test('ends in an ellipsis where it has too many lines', async () => {
    const [dots] = pathsOf(await set('…'));
    for (const text of ['All of algebra, and more. ', '数学の教科書。', 'מדריך מלא, ']) {
      const block = await set(text.repeat(20), { maxLines: 2 });
      expect(countByLine(block)).toHaveLength(2);
      expect(block.lineCount).toBeGreaterThan(2);
      expect(block.width).toBeLessThanOrEqual(STYLE.width);
      const last = block.glyphs.filter(
        ({ y }) => y === Math.max(...block.glyphs.map((at) => at.y)),
      );
      const end = last.find(({ path }) => path === dots);
      const xs = last.map(({ x }) => x);
      expect(end?.x).toBe(block.isRightToLeft ? Math.min(...xs) : Math.max(...xs));
    }
  });

  test('has room for its marks between lines', async () => {
    const plain = await set('one two', { width: 120 });
    expect(plain.height).toBeCloseTo(2 * 1.12 * STYLE.fontSize);
    expect((await set('กู้ กู้', { width: 60 })).height).toBeGreaterThan(plain.height);
    const stacked = await set(`e${'\u0302\u0323'.repeat(300)}`);
    expect(stacked.height).toBeLessThan(4 * STYLE.fontSize);
  });
});

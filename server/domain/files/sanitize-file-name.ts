import { MAX_FILE_NAME_BYTES } from '../../../contract/limits.ts';

/** Joiners are not among them: emoji and several scripts need them. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff]/gu;

const FALLBACK = 'file';

/** An extension is what file systems and people take for one: short and without spaces. */
const EXTENSION = /\.[^.\s]{1,16}$/u;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The name under which a file is kept and downloaded: no path, no control or bidi character, at
 * most 255 bytes of UTF-8, never empty and never hidden. Quotes, emoji and every script stay.
 */
export function sanitizeFileName(name: string): string {
  const lastPart = name.toWellFormed().split(/[/\\]/u).findLast(hasContent) ?? '';
  const safe = clean(lastPart);
  return safe === '' ? FALLBACK : shorten(safe);
}

function hasContent(part: string): boolean {
  return clean(part) !== '';
}

function clean(part: string): string {
  return part
    .normalize('NFC')
    .replace(UNSAFE, '')
    .trim()
    .replace(/^[.\s]+/u, '')
    .normalize('NFC');
}

/** Cuts the stem, not the extension, between two characters as a person sees them. */
function shorten(name: string): string {
  if (byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  const room = MAX_FILE_NAME_BYTES - byteLength(extension);
  const characters = Array.from(graphemes.segment(stem), ({ segment }) => segment);
  // A single character can be longer than any name: then it is cut between its code points.
  const kept = takeWhileRoom(characters, room) || takeWhileRoom([...stem], room);
  return kept.trimEnd() + extension;
}

function takeWhileRoom(pieces: string[], room: number): string {
  let kept = '';
  let used = 0;
  for (const piece of pieces) {
    used += byteLength(piece);
    if (used > room) break;
    kept += piece;
  }
  return kept;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

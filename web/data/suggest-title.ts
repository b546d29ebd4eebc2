import { MAX_TITLE_LENGTH } from '../../contract/limits.ts';

/** Refused in a title by the server, since they change how it reads. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/gu;
const STEM = /^(.+)\.[\p{L}\p{N}]{1,8}$/u;

/** A file's name as a title: "Study pack.pdf" -> "Study pack". */
export function suggestTitle(fileName: string): string {
  const stem = fileName.normalize('NFC').replace(INVISIBLE, '').replace(STEM, '$1');
  let title = '';
  for (const character of stem) {
    if (title.length + character.length > MAX_TITLE_LENGTH) break;
    title += character;
  }
  return title.trim();
}

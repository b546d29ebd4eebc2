/** How many of a file's first bytes tell its type. */
export const SNIFFED_BYTES = 4096;

const UNKNOWN = 'application/octet-stream';

/** What begins with these bytes, as Latin-1, at this position; longer beginnings come first. */
const SIGNATURES: [type: string, beginning: string, at?: number][] = [
  ['application/pdf', '%PDF-'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/vnd.adobe.photoshop', '8BPS'],
  ['image/bmp', '\0\0\0\0', 6],
  ['audio/mpeg', 'ID3'],
  ['audio/flac', 'fLaC'],
  ['audio/midi', 'MThd'],
  ['application/x-7z-compressed', "7z\xbc\xaf'\x1c"],
  ['application/vnd.rar', 'Rar!\x1a\x07'],
  ['application/gzip', '\x1f\x8b\x08'],
  ['application/x-bzip2', 'BZh'],
  ['application/x-xz', '\xfd7zXZ\0'],
  ['application/zstd', '\x28\xb5\x2f\xfd'],
  ['application/x-tar', 'ustar', 257],
  ['application/vnd.sqlite3', 'SQLite format 3\0'],
  ['application/postscript', '%!PS'],
  ['application/rtf', '{\\rtf'],
  ['application/x-mobipocket-ebook', 'BOOKMOBI', 60],
  ['application/vnd.microsoft.portable-executable', 'MZ'],
  ['application/x-elf', '\x7fELF'],
  ['application/x-mach-binary', '\xcf\xfa\xed\xfe'],
  ['application/wasm', '\0asm'],
  ['application/x-ole-storage', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['font/woff', 'wOFF'],
  ['font/woff2', 'wOF2'],
  ['font/otf', 'OTTO'],
  ['font/ttf', '\0\x01\0\0\0'],
];

/** What a container says it holds, at its eighth byte. */
const RIFF: Record<string, string> = {
  WAVE: 'audio/wav',
  'AVI ': 'video/x-msvideo',
  WEBP: 'image/webp',
};

/** By the beginnings of brands of ISO media files. */
const BRANDS: [RegExp, string][] = [
  [/^avi[fs]/, 'image/avif'],
  [/^(hei|hev|mif1|msf1)/, 'image/heic'],
  [/^qt/, 'video/quicktime'],
  [/^(M4A|M4B|M4P)/, 'audio/mp4'],
  [/./, 'video/mp4'],
];

/** Names of parts that stand in the head of a ZIP: it is never unpacked. */
const ZIP_PARTS: [string, string][] = [
  ['mimetypeapplication/epub+zip', 'application/epub+zip'],
  ['mimetypeapplication/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text'],
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];

/**
 * The media type of a file, from its first bytes alone: neither its name nor what its uploader says
 * of it counts.
 */
export function sniffMediaType(head: Uint8Array): string {
  const text = Buffer.from(head.subarray(0, SNIFFED_BYTES)).toString('latin1');
  if (text.startsWith('PK\x03\x04')) {
    return ZIP_PARTS.find(([part]) => text.includes(part))?.[1] ?? 'application/zip';
  }
  if (text.startsWith('RIFF')) return RIFF[text.slice(8, 12)] ?? UNKNOWN;
  if (text.startsWith('ftyp', 4)) {
    return BRANDS.find(([brand]) => brand.test(text.slice(8, 12)))?.[1] ?? UNKNOWN;
  }
  if (text.startsWith('\x1aE\xdf\xa3')) {
    return text.includes('webm') ? 'video/webm' : 'video/x-matroska';
  }
  if (text.startsWith('OggS')) return text.includes('\x80theora') ? 'video/ogg' : 'audio/ogg';
  const known = SIGNATURES.find(([type, beginning, at = 0]) =>
    type === 'image/bmp'
      ? text.startsWith('BM') && text.startsWith(beginning, at)
      : text.startsWith(beginning, at),
  );
  if (known) return known[0];
  if (/^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/.test(text)) return 'audio/mpeg';
  return sniffText(head.subarray(0, SNIFFED_BYTES));
}

/** A character may be cut off at the end of what was read. */
function sniffText(head: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return UNKNOWN;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them.
  if (text === '' || /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return UNKNOWN;
  const markup = text.trimStart().toLowerCase();
  if (/<svg[\s>]/.test(markup) && /^<(\?xml|!doctype|!--|svg)/.test(markup)) return 'image/svg+xml';
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body|script|iframe)[\s>]/.test(markup)) {
    return 'text/html';
  }
  return markup.startsWith('<?xml') ? 'text/xml' : 'text/plain';
}

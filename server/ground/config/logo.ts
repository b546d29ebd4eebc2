import { readFileSync } from 'node:fs';

/** The logo of the site, as it is served. */
export interface Logo {
  path: string;
  mediaType: string;
  bytes: Buffer;
}

const MAX_LOGO_BYTES = 100 * 1024;

const FORMATS = [
  { extension: 'png', mediaType: 'image/png', is: (head: string) => head.startsWith('\x89PNG') },
  {
    extension: 'webp',
    mediaType: 'image/webp',
    is: (head: string) => head.startsWith('RIFF') && head.startsWith('WEBP', 8),
  },
  { extension: 'svg', mediaType: 'image/svg+xml', is: (head: string) => head.includes('<svg') },
];

/** Characters in which a file says what it is; an SVG may begin with comments. */
const HEAD = 1_000;

/** @returns undefined where there is no such file, or it is none that browsers show as a logo */
export function openLogo(file: string): Logo | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  const head = bytes.toString('latin1', 0, HEAD);
  const format = FORMATS.find(({ is }) => is(head));
  if (!format || bytes.length > MAX_LOGO_BYTES) return undefined;
  return { path: `/logo.${format.extension}`, mediaType: format.mediaType, bytes };
}

import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const brotli = promisify(brotliCompress);

/** Fast enough for a page rendered for one viewer; a page kept for many is worth more. */
const QUALITY = { once: 4, kept: 9 };

/** Every browser that takes brotli says so; whoever does not gets the plain text. */
export function takesBrotli(acceptEncoding: string | undefined): boolean {
  return (
    acceptEncoding !== undefined && /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(acceptEncoding)
  );
}

export function compress(body: Buffer, use: keyof typeof QUALITY): Promise<Buffer> {
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY[use],
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

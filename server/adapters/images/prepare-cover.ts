import { DomainError } from '../../domain/domain-error.ts';
import type { PrepareCover, PreparedCover } from '../../domain/links/cover.ts';
import { isPicture } from './is-picture.ts';
import { loadSharp } from './load-sharp.ts';

const LARGEST = { width: 1200, height: 675 };
/** More than cameras of phones make. */
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 20;

const UNKNOWN = 'This is not a picture. Choose a PNG, JPEG, WebP, AVIF or GIF file.';
const DAMAGED = 'This picture is damaged. Save it anew, or choose another one.';
const TOO_LARGE = 'This picture has more than 50 million pixels. Make it smaller first.';

let last: Promise<unknown> = Promise.resolve();

/** Prepares one cover at a time: decoding takes memory and time. */
export const prepareCover: PrepareCover = (picture) => {
  const prepared = last.then(() => prepare(picture));
  last = prepared.catch(() => {});
  return prepared;
};

async function prepare(picture: Buffer): Promise<PreparedCover> {
  if (!isPicture(picture)) throw new DomainError('INVALID_IMAGE', UNKNOWN);
  const sharp = await loadSharp();
  const open = () => sharp(picture, { failOn: 'error', limitInputPixels: MAX_PIXELS });
  try {
    // The head alone says how large it is: nothing is decoded of what is too large.
    const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS) throw new DomainError('INVALID_IMAGE', TOO_LARGE);
    const { data, info } = await open()
      .autoOrient()
      .resize({ ...LARGEST, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('INVALID_IMAGE', DAMAGED, { cause });
  }
}

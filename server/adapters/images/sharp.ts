import type sharp from 'sharp';
import type { PrepareCover, PreparedCover } from '../../catalog/links/cover.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

const SIZES = {
  cover: { width: 1200, height: 675, fit: 'inside', withoutEnlargement: true },
  seller: { width: 400, height: 400, fit: 'cover', position: 'attention' },
} as const;
/** More than phone cameras produce. */
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 20;

const UNKNOWN = 'This file is not a picture. Choose a PNG, JPEG, WebP, AVIF or GIF file.';
const DAMAGED = 'This picture is damaged. Save it again, or choose another one.';
const TOO_LARGE = 'This picture has more than 50 million pixels. Make it smaller first.';

let last: Promise<unknown> = Promise.resolve();

/** Prepares one cover at a time: decoding takes memory and time. */
export const prepareCover: PrepareCover = (picture, use = 'cover') => {
  const prepared = last.then(() => prepare(picture, use));
  last = prepared.catch(() => {});
  return prepared;
};

async function prepare(picture: Buffer, use: keyof typeof SIZES): Promise<PreparedCover> {
  if (!isPicture(picture)) throw new DomainError('INVALID_IMAGE', UNKNOWN);
  const sharp = await loadSharp();
  const open = () => sharp(picture, { failOn: 'error', limitInputPixels: MAX_PIXELS });
  try {
    // The header gives the dimensions: a picture that is too large is not decoded.
    const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS) throw new DomainError('INVALID_IMAGE', TOO_LARGE);
    const { data, info } = await open()
      .autoOrient()
      .resize(SIZES[use])
      .webp({ quality: 82 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('INVALID_IMAGE', DAMAGED, { cause });
  }
}

const SIGNATURES: { at: number; bytes: string }[][] = [
  [{ at: 0, bytes: '\x89PNG\r\n\x1a\n' }],
  [{ at: 0, bytes: '\xff\xd8\xff' }],
  [{ at: 0, bytes: 'GIF8' }],
  [
    { at: 0, bytes: 'RIFF' },
    { at: 8, bytes: 'WEBP' },
  ],
  [{ at: 4, bytes: 'ftypavif' }],
  [{ at: 4, bytes: 'ftypavis' }],
];

/** PNG, JPEG, GIF, WebP or AVIF by the first bytes: names and declared types prove nothing. */
function isPicture(bytes: Buffer): boolean {
  return SIGNATURES.some((signature) =>
    signature.every(
      (part) => bytes.toString('latin1', part.at, part.at + part.bytes.length) === part.bytes,
    ),
  );
}

let loading: Promise<typeof sharp> | undefined;

/** The image library, loaded when first needed: it takes time and memory that most never need. */
export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    // What is decoded for one picture is of no use for the next.
    library.cache(false);
    library.concurrency(1);
    return library;
  });
  return loading;
}

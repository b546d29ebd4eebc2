import sharp from 'sharp';

export interface Picture {
  file: string;
  png: Buffer;
}

/** Pixels between two pictures. */
const GAP = 24;
/** Of what is between them, in neither theme's color. */
const GROUND = '#8a8f98';

/** Writes one picture that has all of them side by side, from the top. */
export async function joinPictures(pictures: Picture[], file: string): Promise<void> {
  const sizes = await Promise.all(pictures.map(({ png }) => sharp(png).metadata()));
  let left = GAP;
  const placed = pictures.map(({ png }, index) => {
    const place = { input: png, left, top: GAP };
    left += (sizes[index]?.width ?? 0) + GAP;
    return place;
  });
  const height = Math.max(...sizes.map((size) => size.height)) + 2 * GAP;
  await sharp({ create: { width: left, height, channels: 3, background: GROUND } })
    .composite(placed)
    .png({ compressionLevel: 6 })
    .toFile(file);
}

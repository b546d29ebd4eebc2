// Draws the icons that cannot be SVG from web/assets/icons/padlink.svg: run it when that changes.
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';

const folder = new URL('../web/assets/icons/', import.meta.url);
const svg = await readFile(new URL('padlink.svg', folder));
const background = '#1b2130';

/** An icon of this size, as PNG; devices cut an opaque one to their own shape. */
const draw = (size, { opaque = false } = {}) => {
  const image = sharp(svg, { density: (72 * size) / 48 }).resize(size, size);
  return (opaque ? image.flatten({ background }) : image).png({ compressionLevel: 9 }).toBuffer();
};

/** An ICO of one PNG: https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10) */
function wrapIcon(png, size) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const icons = {
  'favicon.ico': wrapIcon(await draw(32), 32),
  'apple-touch-icon.png': await draw(180, { opaque: true }),
  'icon-192.png': await draw(192),
  'icon-512.png': await draw(512),
};
for (const [name, bytes] of Object.entries(icons)) await writeFile(new URL(name, folder), bytes);

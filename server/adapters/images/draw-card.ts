import { readFile } from 'node:fs/promises';
import { CARD_HEIGHT, CARD_WIDTH } from '../../../contract/limits.ts';
import type { DrawCard } from '../../links/cover.ts';
import { layOutCard, PICTURE } from './lay-out-card.ts';
import { loadSharp } from './sharp.ts';

let tools: ReturnType<typeof loadTools> | undefined;

/** Draws with what is loaded at the first card: most starts never draw one. */
export const drawCard: DrawCard = async (card) => {
  tools ??= loadTools();
  const { satori, sharp, fonts } = await tools;
  const element = layOutCard(card) as Parameters<typeof satori>[0];
  const svg = await satori(element, { width: CARD_WIDTH, height: CARD_HEIGHT, fonts });
  const { left, top, ...size } = PICTURE;
  const cover =
    card.cover &&
    (await sharp(card.cover)
      .resize({ ...size, fit: 'inside' })
      .png()
      .toBuffer({ resolveWithObject: true }));
  const layers = cover
    ? [
        {
          input: cover.data,
          left: left + Math.round((size.width - cover.info.width) / 2),
          top: top + Math.round((size.height - cover.info.height) / 2),
        },
      ]
    : [];
  return sharp(Buffer.from(svg))
    .composite(layers)
    .png({ palette: cover === null, compressionLevel: 9 })
    .toBuffer();
};

async function loadTools() {
  const [{ default: satori }, sharp, regular, semibold] = await Promise.all([
    import('satori'),
    loadSharp(),
    readFont(400),
    readFont(600),
  ]);
  const font = { name: 'Instrument Sans', style: 'normal' } as const;
  const fonts = [
    { ...font, weight: 400 as const, data: regular },
    { ...font, weight: 600 as const, data: semibold },
  ];
  return { satori, sharp, fonts };
}

const readFont = (weight: number) =>
  readFile(new URL(`fonts/instrument-sans-${weight}.woff`, import.meta.url));

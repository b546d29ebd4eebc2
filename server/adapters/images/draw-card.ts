import { readFile } from 'node:fs/promises';
import { CARD_HEIGHT, CARD_WIDTH } from '../../../contract/limits.ts';
import type { DrawCard } from '../../links/cover.ts';
import { layOutCard } from './lay-out-card.ts';
import { loadSharp } from './sharp.ts';

let tools: ReturnType<typeof loadTools> | undefined;

/** Draws with what is loaded at the first card: most starts never draw one. */
export const drawCard: DrawCard = async (card) => {
  tools ??= loadTools();
  const { satori, sharp, fonts } = await tools;
  const element = layOutCard(card) as Parameters<typeof satori>[0];
  const svg = await satori(element, { width: CARD_WIDTH, height: CARD_HEIGHT, fonts });
  const words = Buffer.from(svg);
  if (!card.cover) return sharp(words).png({ palette: true, compressionLevel: 9 }).toBuffer();
  return sharp(card.cover)
    .resize({ width: CARD_WIDTH, height: CARD_HEIGHT, fit: 'cover', position: 'attention' })
    .composite([{ input: words }])
    .png({ palette: true, effort: 1 })
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

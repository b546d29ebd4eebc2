import { CARD_HEIGHT, CARD_WIDTH } from '../../../contract/limits.ts';
import type { DrawCard } from '../../catalog/links/cover.ts';
import { layOutCard } from './lay-out-card.ts';
import { Typesetter } from './set-text.ts';
import { loadSharp } from './sharp.ts';

let tools: ReturnType<typeof loadTools> | undefined;

/** Draws with what is loaded at the first card: most starts never draw one. */
export const drawCard: DrawCard = async (card) => {
  tools ??= loadTools();
  const { typesetter, sharp } = await tools;
  const drawing = Buffer.from(await layOutCard(card, typesetter));
  if (!card.cover) return sharp(drawing).png({ palette: true, compressionLevel: 9 }).toBuffer();
  return sharp(card.cover)
    .resize({ width: CARD_WIDTH, height: CARD_HEIGHT, fit: 'cover', position: 'attention' })
    .composite([{ input: drawing }])
    .png({ palette: true, effort: 1 })
    .toBuffer();
};

async function loadTools() {
  const [typesetter, sharp] = await Promise.all([Typesetter.load(), loadSharp()]);
  return { typesetter, sharp };
}

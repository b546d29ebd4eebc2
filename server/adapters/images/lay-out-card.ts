import { COVER_BOX, COVER_FIGURE, drawCover } from '../../../contract/drawn-cover.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '../../../contract/limits.ts';
import { cutKey } from '../../../contract/links.ts';
import { nameLink } from '../../../contract/name-link.ts';
import type { Card } from '../../catalog/links/cover.ts';
import type { ReadText, TextBlock, TextStyle, Typesetter } from './set-text.ts';

/** The light colors of web/styles/tokens.css, as the drawing needs them. */
const COLOR = {
  paper: '#f5f7f9',
  card: '#ffffff',
  line: '#dce0e6',
  ink: '#131b29',
  muted: '#525a68',
  brass: '#fabf36',
  brassEdge: '#c58c1d',
};

/** White words on it are readable even where the cover is white. */
const SHADE = [
  [0, 0.1],
  [0.3, 0.35],
  [0.55, 0.8],
  [1, 0.92],
]
  .map(([at, alpha]) => `<stop offset="${at}" stop-color="#0a0f18" stop-opacity="${alpha}"/>`)
  .join('');

/** A title has the largest size at which it takes fewer than the lines that there is room for. */
const TITLE_SIZES = [56, 50, 42];
const TITLE = { weight: 600, letterSpacing: -1.5 } as const;
const SELLER = { fontSize: 32, weight: 400, maxLines: 1 } as const;
/** The part of the size of our own font by which its capitals rise above the line. */
const CAPITALS = 0.7;

/** Draws a card as SVG: over its cover, or all of it. */
export async function layOutCard(card: Card, typesetter: Typesetter): Promise<string> {
  const words = await readWords(card, typesetter);
  const set = (text: ReadText | null, style: TextStyle) => text && typesetter.set(text, style);
  const drawn = card.cover ? overCover(card, words, set) : ticket(card, words, set);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">${drawn}</svg>`;
}

type Words = Awaited<ReturnType<typeof readWords>>;
/** Null where there is nothing to be said. */
type SetText = (text: ReadText | null, style: TextStyle) => TextBlock | null;

async function readWords(
  { id, name, seller, kind, price, siteName }: Card,
  typesetter: Typesetter,
) {
  const isSellerSeen = seller !== null && (await typesetter.read(seller)) !== null;
  return {
    title: (await typesetter.read(name)) ?? (await typesetter.read(nameLink({ id, title: null }))),
    // A name may be written in the other direction than the words around it.
    seller: isSellerSeen ? await typesetter.read(`by \u2068${seller}\u2069`) : null,
    price: await typesetter.read(price),
    kind: kind === null ? null : await typesetter.read(kind),
    product: await typesetter.read(siteName),
    unlock: await typesetter.read('Unlock'),
  };
}

/** Words on the dark end of a gradient: the cover, whatever it shows, fills the whole card. */
function overCover({ isPage }: Card, words: Words, set: SetText): string {
  const [left, right, bottom] = [56, CARD_WIDTH - 56, CARD_HEIGHT - 56];
  const width = right - left;
  const rowHeight = isPage ? 39 : 83;
  const middle = bottom - rowHeight / 2;
  const product = set(words.product, { fontSize: 32, weight: 600, width, maxLines: 1 });
  const besides = product?.width ?? 0;
  const price = set(words.price, {
    ...(isPage
      ? { fontSize: 32, weight: 400 }
      : { fontSize: 48, weight: 600, letterSpacing: -1.5 }),
    width: width - besides - 100,
    maxLines: 1,
  });
  // Above that, the shade is too light for white words.
  const title = setTitle(set, words.title, { width, maxLines: 3, room: 160 });
  const seller = set(words.seller, { ...SELLER, width });
  const textBottom = bottom - rowHeight - 28;
  const sellerTop = textBottom - (seller?.height ?? 0);
  const titleTop = sellerTop - (seller ? 12 : 0) - (title?.height ?? 0);
  const across = { left, right, color: COLOR.card, isFromRight: title?.isRightToLeft };
  return [
    `<defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1">${SHADE}</linearGradient></defs>`,
    '<rect width="100%" height="100%" fill="url(#shade)"/>',
    draw(title, { ...across, top: titleTop }),
    draw(seller, { ...across, top: sellerTop }),
    !isPage &&
      price &&
      `<rect x="${left}" y="${bottom - rowHeight}" width="${price.width + 60}" height="${rowHeight}" rx="18" fill="${COLOR.brass}"/>`,
    drawLabel(price, {
      left: isPage ? left : left + 30,
      middle,
      color: isPage ? COLOR.card : COLOR.ink,
    }),
    drawLabel(product, { left: right - besides, middle, color: COLOR.card }),
  ]
    .filter(Boolean)
    .join('');
}

/** The ticket of the paywall page: the key, the words, and the price on the stub below. */
function ticket({ id, isPage }: Card, words: Words, set: SetText): string {
  const [left, right] = [572, 1099];
  const width = right - left;
  const [top, stub] = [131, 431];
  const unlock = isPage
    ? null
    : set(words.unlock, { fontSize: 32, weight: 600, width, maxLines: 1 });
  const buttonWidth = unlock ? unlock.width + 70 : 0;
  const price = set(words.price, {
    ...(isPage ? { fontSize: 32, weight: 400 } : { fontSize: 60, weight: 600, letterSpacing: -2 }),
    width: width - (unlock ? buttonWidth + 24 : 0),
    maxLines: 1,
  });
  const seller = set(words.seller, { ...SELLER, width });
  const below = seller ? 14 + seller.height : 0;
  const room = stub - top - below - 36;
  const title = setTitle(set, words.title, { width, maxLines: 4, room });
  const height = (title?.height ?? 0) + below;
  const titleTop = (top + stub - height) / 2;
  const across = { left, right, isFromRight: title?.isRightToLeft };
  const middle = isPage ? 503 : 500.5;
  const product = set(words.product, { fontSize: 30, weight: 600, width, maxLines: 1 });
  const kind = set(words.kind, { fontSize: 32, weight: 600, width: 370, maxLines: 1 });
  return [
    `<rect width="100%" height="100%" fill="${COLOR.paper}"/>`,
    `<rect x="48.5" y="48.5" width="1103" height="533" rx="27.5" fill="${COLOR.card}"/>`,
    drawPanel(id),
    `<path d="M519.5 49V581" stroke="${COLOR.line}"/>`,
    `<rect x="48.5" y="48.5" width="1103" height="533" rx="27.5" fill="none" stroke="${COLOR.line}"/>`,
    `<path d="${cutKey(id)}" transform="translate(99 241) scale(3.7)" fill="${COLOR.ink}"/>`,
    drawLabel(kind, { left: 99, middle: 530, color: COLOR.ink }),
    `<g transform="translate(${left} 93) scale(${38 / 48})">${LOCK}</g>`,
    drawLabel(product, { left: left + 52, middle: 111.5, color: COLOR.ink }),
    draw(title, { ...across, top: titleTop, color: COLOR.ink }),
    draw(seller, {
      ...across,
      color: COLOR.muted,
      top: titleTop + height - (seller?.height ?? 0),
    }),
    `<path d="M${left} ${stub + 1.5}H${right}" stroke="${COLOR.line}" stroke-width="3" stroke-dasharray="6 3"/>`,
    drawLabel(price, { left, middle, color: COLOR.ink }),
    unlock &&
      `<rect x="${right - buttonWidth + 0.5}" y="464.5" width="${buttonWidth - 1}" height="72" rx="17.5" fill="${COLOR.brass}" stroke="${COLOR.brassEdge}"/>`,
    drawLabel(unlock, { left: right - buttonWidth + 35, middle, color: COLOR.ink }),
  ]
    .filter(Boolean)
    .join('');
}

/** The left part of the ticket, with the cover that stands for the link everywhere. */
function drawPanel(id: string): string {
  const { ground, figure } = drawCover(id);
  const outline = 'M519.5 49H76a27 27 0 0 0-27 27v478a27 27 0 0 0 27 27H519.5Z';
  return [
    `<clipPath id="panel"><path d="${outline}"/></clipPath>`,
    `<g clip-path="url(#panel)"><rect width="100%" height="100%" fill="${ground[0]}"/>`,
    `<svg x="49" y="49" width="470.5" height="532" viewBox="${COVER_BOX}" preserveAspectRatio="xMidYMid slice">`,
    `<path d="${figure}" fill="${COVER_FIGURE[0]}" fill-rule="evenodd"/></svg></g>`,
  ].join('');
}

function setTitle(
  set: SetText,
  title: ReadText | null,
  { width, maxLines, room }: Pick<TextStyle, 'width' | 'maxLines'> & { room: number },
): TextBlock | null {
  const fitting = (fontSize: number, lines: number) => {
    const block = set(title, { ...TITLE, fontSize, width, maxLines: lines });
    return block && block.height <= room ? block : null;
  };
  for (const fontSize of TITLE_SIZES) {
    const block = fitting(fontSize, maxLines);
    if (block && block.lineCount < maxLines) return block;
  }
  const smallest = TITLE_SIZES.at(-1) as number;
  // Scripts with tall signs have fewer lines.
  for (let lines = maxLines; lines > 1; lines -= 1) {
    const block = fitting(smallest, lines);
    if (block) return block;
  }
  return set(title, { ...TITLE, fontSize: smallest, width, maxLines: 1 });
}

/** The product's mark, 48 by 48. */
const LOCK = [
  `<path d="M14.5 23v-8.5a9.5 9.5 0 0 1 19 0V30" stroke="${COLOR.ink}" fill="none" stroke-width="4.5"/>`,
  `<path d="M14 21h20a6.5 6.5 0 0 1 6.5 6.5v10a6.5 6.5 0 0 1-6.5 6.5H14a6.5 6.5 0 0 1-6.5-6.5v-10A6.5 6.5 0 0 1 14 21Z" fill="${COLOR.ink}"/>`,
  `<path d="M24 27.5a3 3 0 0 1 1.6 5.54v3.46a1.6 1.6 0 0 1-3.2 0v-3.46A3 3 0 0 1 24 27.5Z" fill="${COLOR.brass}"/>`,
].join('');

interface Across {
  left: number;
  right: number;
  top: number;
  color: string;
  isFromRight: boolean | undefined;
}

/** Draws a text from the edge at which its reader begins. */
function draw(block: TextBlock | null, { left, right, top, color, isFromRight }: Across): string {
  if (!block) return '';
  return drawAt(block, isFromRight ? right - block.width : left, top, color);
}

/** Draws one line of our own font, its capitals in the middle. */
function drawLabel(
  block: TextBlock | null,
  { left, middle, color }: { left: number; middle: number; color: string },
): string {
  if (!block) return '';
  const top = middle + (block.fontSize * CAPITALS) / 2 - block.baseline;
  return drawAt(block, left, top, color);
}

function drawAt({ glyphs, fontSize }: TextBlock, left: number, top: number, color: string): string {
  const scale = fontSize / 1000;
  const paths = glyphs
    .filter(({ path }) => path !== '')
    .map(({ path, stroke, x, y }) => {
      const at = `${(left + x).toFixed(2)} ${(top + y).toFixed(2)}`;
      const bolder = stroke > 0 ? ` stroke="${color}" stroke-width="${stroke}"` : '';
      return `<path transform="translate(${at}) scale(${scale} ${-scale})" d="${path}"${bolder}/>`;
    });
  return `<g fill="${color}">${paths.join('')}</g>`;
}

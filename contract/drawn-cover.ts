/** What stands for a link in a list: its cover, or else what one is drawn from. */
export interface LinkFace {
  /** 'file', 'link' or 'bundle'. */
  type: string;
  /** Of its first file; null for the other types. */
  mediaType: string | null;
  cover: { url: string; width: number; height: number } | null;
}

/**
 * The grounds of drawn covers, for light pages and dark ones: ink is readable on each, and the
 * color-blind tell them apart.
 */
export const COVER_TONES = [
  ['#f5957b', '#471001'],
  ['#fbc063', '#5c3203'],
  ['#f7ed9a', '#63590e'],
  ['#bed9bf', '#1d6150'],
  ['#acfafd', '#004644'],
  ['#8cd4ff', '#112655'],
  ['#a3a7ff', '#4e3d73'],
  ['#c6a6be', '#301c2e'],
] as const;

/** What is drawn on them, in both. */
export const COVER_FIGURE = ['#ffffff73', '#ffffff1a'] as const;

/** The size of the drawing, of which a place of another shape shows the middle. */
export const COVER_BOX = '0 0 160 90';

const digitsOf = (id: string) => [...id].map((digit) => Number.parseInt(digit, 16));

/** Rings around a point that the first two digits place. */
const rings: DrawFigure = ([across = 0, down = 0]) =>
  [20, 40, 60, 80, 100]
    .map(
      (r) =>
        `M${40 + across * 5 - r} ${15 + down * 4}a${r} ${r} 0 1 0 ${2 * r} 0 ${r} ${r} 0 1 0-${2 * r} 0`,
    )
    .join('');

/** Slanted stripes, each as wide as its digit. */
const stripes: DrawFigure = ([lean = 0, ...widths]) => {
  const [start, slant] = lean % 2 ? [-80, 90] : [10, -90];
  return widths
    .map((width, place) => `M${start + place * 34} 0h${6 + width}l${slant} 90h-${6 + width}z`)
    .join('');
};

/** Columns, each as high as its digit. */
const columns: DrawFigure = (heights) =>
  heights.map((height, place) => `M${place * 20 + 3} 90v-${12 + height * 5}h14v90z`).join('');

/** Quarters of discs, each in the corner that its digit says. */
const quarters: DrawFigure = (corners) =>
  corners
    .map((corner, place) => {
      const [x, y] = [(place % 4) * 40, place < 4 ? 0 : 45];
      return [
        `M${x} ${y}h40a40 45 0 0 1-40 45z`,
        `M${x + 40} ${y}v45a40 45 0 0 1-40-45z`,
        `M${x + 40} ${y + 45}h-40a40 45 0 0 1 40-45z`,
        `M${x} ${y + 45}v-45a40 45 0 0 1 40 45z`,
      ][corner % 4];
    })
    .join('');

/** Waves, each as high as its digit. */
const waves: DrawFigure = (heights) =>
  [8, 26, 44, 62, 80]
    .map(
      (y, place) =>
        `M-40 ${y}q20-${10 + (heights[place] ?? 0)} 40 0t40 0 40 0 40 0 40 0 40 0V90H-40z`,
    )
    .join('');

/** Peaks, each as high as its digit. */
const peaks: DrawFigure = (heights) =>
  heights
    .slice(0, 6)
    .map((height, place) => `M${place * 32 - 55} 90l55-${30 + height * 4} 55 90z`)
    .join('');

/** @param digits eight of them, from 0 to 15 @returns SVG path data, filled where it overlaps itself oddly */
type DrawFigure = (digits: number[]) => string;

const FIGURES = [rings, stripes, columns, quarters, waves, peaks];

const toneOf = (id: string) => Number.parseInt(id.slice(-1), 16) % COVER_TONES.length;
const figureOf = (id: string) => Number.parseInt(id.slice(-3, -1), 16) % FIGURES.length;

/**
 * What is drawn for a link without a cover, the same everywhere: a ground and a figure on it.
 * @param id eight hexadecimal digits
 * @param tone another ground than its own, among others in a list
 */
export function drawCover(id: string, tone = toneOf(id)) {
  const figure = FIGURES[figureOf(id)] as DrawFigure;
  return {
    ground: COVER_TONES[tone] as (typeof COVER_TONES)[number],
    figure: figure(digitsOf(id)),
  };
}

/** As many columns as a list has at most. */
const COLUMNS = 4;

/**
 * The grounds of the covers in a list, each by its place. A link has its own unless the one before
 * has the same, or one that may lie above it would look alike.
 */
export function chooseTones(ids: readonly string[]): number[] {
  const drawn: { id: string; tone: number }[] = [];
  for (const id of ids) {
    const near = drawn.slice(-COLUMNS);
    const last = near.at(-1);
    const isTaken = (tone: number) =>
      near.some(
        (other) =>
          other.tone === tone &&
          other.id !== id &&
          (other === last || figureOf(other.id) === figureOf(id)),
      );
    let tone = last?.id === id ? last.tone : toneOf(id);
    while (isTaken(tone)) tone = (tone + 1) % COVER_TONES.length;
    drawn.push({ id, tone });
  }
  return drawn.map(({ tone }) => tone);
}

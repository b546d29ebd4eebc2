import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COVER_FIGURE, COVER_TONES, chooseTones, drawCover } from './drawn-cover.ts';

type Triple = [number, number, number];

const THEMES = ['light', 'dark'] as const;

/** Linear light of sRGB, from 0 to 1. */
function readHex(hex: string): { rgb: Triple; alpha: number } {
  const [red = 0, green = 0, blue = 0, alpha = 255] = (hex.match(/[0-9a-f]{2}/g) ?? []).map(
    (part) => Number.parseInt(part, 16),
  );
  return { rgb: [red / 255, green / 255, blue / 255], alpha: alpha / 255 };
}

const mapTriple = (values: Triple, change: (value: number, index: number) => number) =>
  values.map(change) as Triple;

const linear = (values: Triple) =>
  mapTriple(values, (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );

const times = (matrix: Triple[], values: Triple) =>
  matrix.map((row) =>
    row.reduce((sum, factor, index) => sum + factor * (values[index] ?? 0), 0),
  ) as Triple;

/** Laid over each other as browsers do it. */
function lay(over: string, under: string): Triple {
  const { rgb, alpha } = readHex(over);
  return mapTriple(
    readHex(under).rgb,
    (value, index) => value + ((rgb[index] ?? 0) - value) * alpha,
  );
}

const luminance = (rgb: Triple) => times([[0.2126, 0.7152, 0.0722]], linear(rgb))[0];

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Of a linear color: distances in it are about as people see them. */
function oklab(rgb: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    mapTriple(cones, Math.cbrt),
  );
}

/** Machado, Oliveira and Fernandes 2009, of people who lack one kind of cones. */
const SIGHTS: Record<string, Triple[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const seen = (rgb: Triple, sight: string) =>
  oklab(
    mapTriple(times(SIGHTS[sight] ?? [], linear(rgb)), (value) => Math.min(1, Math.max(0, value))),
  );

/** Three times what the eye tells apart in two fields side by side. */
const APART = 0.06;

/** "light-dark(oklch(0.22 0.025 262), …)": the lightness of both alone matters here. */
function readInk(): { light: number; dark: number } {
  const tokens = readFileSync('web/styles/tokens.css', 'utf8');
  const [, light, dark] =
    /--color-ink: light-dark\(oklch\(([\d.]+) .*?oklch\(([\d.]+) /.exec(tokens) ?? [];
  return { light: Number(light) ** 3, dark: Number(dark) ** 3 };
}

const ID = (seed: number) => createHash('sha256').update(`${seed}`).digest('hex').slice(0, 8);
const IDS = Array.from({ length: 20_000 }, (_, seed) => ID(seed));

/** By the strokes that a figure is made of. */
function shapeOf({ figure }: { figure: string }): string {
  if (figure.includes('a')) return /[hv]/.test(figure) ? 'quarters' : 'rings';
  return figure.replace(/[-\d ]/g, '').slice(0, 2);
}

describe('a drawn cover', () => {
  test('has words with a contrast of 4.5 to 1 on ground and figure, in both themes', () => {
    for (const [index, theme] of THEMES.entries()) {
      const ink = readInk()[theme];
      for (const tone of COVER_TONES) {
        const ground = tone[index] as string;
        for (const under of [readHex(ground).rgb, lay(COVER_FIGURE[index] as string, ground)]) {
          expect(contrast(luminance(under), ink), `${theme} ${ground}`).toBeGreaterThan(4.5);
        }
      }
    }
  });

  test.for(Object.keys(SIGHTS))(
    'has a ground that is told from the others with %s sight',
    (sight) => {
      for (const [index, theme] of THEMES.entries()) {
        const grounds = COVER_TONES.map((tone) => tone[index] as string);
        for (const [place, one] of grounds.entries()) {
          for (const other of grounds.slice(place + 1)) {
            const [a, b] = [seen(readHex(one).rgb, sight), seen(readHex(other).rgb, sight)];
            const distance = Math.hypot(...mapTriple(a, (value, axis) => value - (b[axis] ?? 0)));
            expect(distance, `${theme} ${one} ${other}`).toBeGreaterThan(APART);
          }
        }
      }
    },
  );

  test('is the same for the same id, small, and one of many', () => {
    const drawn = IDS.map((id) => drawCover(id));
    expect(IDS.map((id) => drawCover(id))).toEqual(drawn);
    expect(new Set(drawn.map(({ ground }) => ground)).size).toBe(COVER_TONES.length);
    expect(new Set(drawn.map(({ figure }) => figure)).size).toBeGreaterThan(10_000);
    for (const { figure } of drawn) {
      expect(figure).toMatch(/^M[-\dahlqtvzHMV ]+$/);
      expect(figure.length).toBeLessThan(300);
    }
  });

  test('never looks like its neighbor in a list, however long, and mostly has its own ground', () => {
    const tones = chooseTones(IDS);
    expect(chooseTones(IDS.slice(0, 50))).toEqual(tones.slice(0, 50));
    let own = 0;
    for (const [place, id] of IDS.entries()) {
      expect(tones[place]).not.toBe(tones[place - 1]);
      const look = drawCover(id, tones[place]);
      // Of a grid with four columns, the one above.
      const above = IDS[place - 4] && drawCover(IDS[place - 4] ?? '', tones[place - 4]);
      if (above && above.ground === look.ground) expect(shapeOf(above)).not.toBe(shapeOf(look));
      if (look.ground === drawCover(id).ground) own += 1;
    }
    expect(own / IDS.length).toBeGreaterThan(0.8);
  });

  test('is the same for things of one link that stand next to each other', () => {
    const [first, second, third] = chooseTones(['00000000', '11111118', '11111118']);
    expect(second).toBe(third);
    expect(second).not.toBe(first);
  });
});

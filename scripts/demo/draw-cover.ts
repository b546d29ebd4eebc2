import sharp from 'sharp';

const WIDTH = 1200;
const HEIGHT = 675;

export type Cover = 'molecule' | 'wave' | 'steps';

const DRAWINGS: Record<Cover, { background: string; shapes(): string }> = {
  molecule: { background: '#123c46', shapes: drawMolecule },
  wave: { background: '#2a1a3e', shapes: drawWave },
  steps: { background: '#e9e2d0', shapes: drawSteps },
};

/** A picture for a link of the demo, as PNG. */
export function drawCover(cover: Cover): Promise<Buffer> {
  const { background, shapes } = DRAWINGS[cover];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="${background}"/>${shapes()}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function drawMolecule(): string {
  const ring = (x: number, y: number) =>
    Array.from({ length: 6 }, (_, corner) => {
      const angle = (Math.PI / 3) * corner + Math.PI / 6;
      return [x + 130 * Math.cos(angle), y + 130 * Math.sin(angle)];
    });
  const rings = [ring(375, 400), ring(600, 270), ring(825, 400)];
  const lines = rings.map((points) => `<polygon points="${points.join(' ')}"/>`).join('');
  const atoms = rings
    .flat()
    .map(([x, y], position) => `<circle cx="${x}" cy="${y}" r="${position % 3 ? 16 : 26}"/>`)
    .join('');
  return `<g fill="none" stroke="#7fd1c1" stroke-width="10">${lines}</g><g fill="#f6c445">${atoms}</g>`;
}

function drawWave(): string {
  const bars = Array.from({ length: 48 }, (_, position) => {
    const loudness = Math.abs(Math.sin(position * 0.37) * Math.cos(position * 0.11));
    const height = 40 + 440 * loudness;
    return `<rect x="${38 + position * 23.5}" y="${(HEIGHT - height) / 2}" width="13" height="${height}" rx="6.5"/>`;
  });
  return `<g fill="#ff9ebb">${bars.join('')}</g>`;
}

function drawSteps(): string {
  const steps = Array.from({ length: 5 }, (_, step) => {
    const height = 110 + step * 95;
    return `<rect x="${150 + step * 185}" y="${HEIGHT - height}" width="165" height="${height}" fill="#1f5c4a" opacity="${0.4 + step * 0.15}"/>`;
  });
  return `${steps.join('')}<circle cx="972" cy="90" r="42" fill="#e2583e"/>`;
}

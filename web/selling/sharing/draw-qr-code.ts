import QRCode from 'qrcode';

/**
 * A QR code as pictures: dark on white with its quiet zone, whatever the theme, because scanners
 * fail otherwise.
 */
export interface QrCode {
  /** A document of its own; the drawing scales. */
  svg: string;
  /** data: address of a square of 1024 pixels a side. */
  png: string;
}

const PNG_PIXELS = 1024;
/** Modules of white on each side, as the standard asks for. */
const QUIET_ZONE = 4;

/** Draws the QR code of an address. Throws where there is no canvas. */
export function drawQrCode(address: string): QrCode {
  const { modules } = QRCode.create(address, { errorCorrectionLevel: 'M' });
  const dark: [x: number, y: number][] = [];
  for (let y = 0; y < modules.size; y += 1) {
    for (let x = 0; x < modules.size; x += 1) if (modules.get(y, x)) dark.push([x, y]);
  }
  return { svg: drawSvg(modules.size, dark), png: drawPng(modules.size, dark) };
}

function drawSvg(size: number, dark: [number, number][]): string {
  const side = size + 2 * QUIET_ZONE;
  const path = dark.map(([x, y]) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="512" height="512" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`
  );
}

/** Each module is a whole number of pixels wide; what is left over widens the quiet zone. */
function drawPng(size: number, dark: [number, number][]): string {
  const canvas = document.createElement('canvas');
  canvas.width = PNG_PIXELS;
  canvas.height = PNG_PIXELS;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no pictures');
  const scale = Math.floor(PNG_PIXELS / (size + 2 * QUIET_ZONE));
  const edge = Math.floor((PNG_PIXELS - size * scale) / 2);
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, PNG_PIXELS, PNG_PIXELS);
  pen.fillStyle = '#000';
  for (const [x, y] of dark) pen.fillRect(edge + x * scale, edge + y * scale, scale, scale);
  return canvas.toDataURL('image/png');
}

import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sniffMediaType } from '../../files/sniff-media-type.ts';
import { readFacts } from './read-facts.ts';

const factsOf = (bytes: Buffer) => {
  const read = async (buffer: Uint8Array, length: number, position: number) =>
    bytes.copy(buffer, 0, position, position + length);
  const file = { size_bytes: bytes.length, media_type: sniffMediaType(bytes) };
  return readFacts({ read, close: async () => {} }, file);
};

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const be32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};
const box = (name: string, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([be32(content.length + 8), latin1(name), content]);
};

/** A PDF with a plain table, whose pages object comes last. */
function plainPdf(pages: number): Buffer {
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    `2 0 obj\n<< /Type /Pages /Kids [] /Count ${pages} >>\nendobj\n`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object) => {
    const at = text.length;
    text += object;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 3\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 3 /Root 1 0 R >>\n`;
  return latin1(`${text}startxref\n${start}\n%%EOF\n`);
}

/** The same with its objects packed into a stream, as most programs write it today. */
function packedPdf(pages: number, filler = 0): Buffer {
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
  const index = `1 0 2 ${catalog.length + 1} `;
  const content = `${index}${catalog} << /Type /Pages /Count ${pages} >>${' '.repeat(filler)}`;
  const packed = deflateSync(latin1(content));
  let bytes = latin1('%PDF-1.5\n');
  const streamAt = bytes.length;
  const stream = (head: string, body: Buffer) =>
    Buffer.concat([
      latin1(`${head} /Filter /FlateDecode /Length ${body.length} >>\nstream\n`),
      body,
      latin1('\nendstream\nendobj\n'),
    ]);
  bytes = Buffer.concat([
    bytes,
    stream(`3 0 obj\n<< /Type /ObjStm /N 2 /First ${index.length}`, packed),
  ]);
  const tableAt = bytes.length;
  const rows = [
    [0, 0, 0, 0],
    [2, 0, 3, 0],
    [2, 0, 3, 1],
    [1, streamAt >> 8, streamAt & 255, 0],
  ];
  // Each row as its difference from the one above.
  const table = rows.flatMap((row, at) => [
    2,
    ...row.map((value, column) => (value - (rows[at - 1]?.[column] ?? 0)) & 255),
  ]);
  const head =
    '4 0 obj\n<< /Type /XRef /Size 4 /W [1 2 1] /Root 1 0 R /DecodeParms << /Predictor 12 /Columns 4 >>';
  return Buffer.concat([
    bytes,
    stream(head, deflateSync(Buffer.from(table))),
    latin1(`startxref\n${tableAt}\n%%EOF\n`),
  ]);
}

const png = (width: number, height: number) =>
  Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    be32(13),
    latin1('IHDR'),
    be32(width, height),
    Buffer.from([8, 6, 0, 0, 0]),
  ]);

const movie = Buffer.concat([
  box('ftyp', latin1('isom'), be32(0)),
  box('mdat', Buffer.alloc(100_000)),
  box(
    'moov',
    box('mvhd', be32(0, 0, 0, 1_000, 93_500, 0)),
    box('trak', box('tkhd', Buffer.alloc(76), be32(1920 << 16, 1080 << 16))),
  ),
]);

/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz. */
const FRAME = Buffer.from([0xff, 0xfb, 0x90, 0x00]);

describe('the facts of a file', () => {
  test.each([
    ['a PDF', plainPdf(24), { pages: 24 }],
    ['a PDF with packed objects', packedPdf(310), { pages: 310 }],
    ['a PNG', png(800, 600), { width: 800, height: 600 }],
    [
      'a picture of 50,000 by 50,000 pixels',
      png(50_000, 50_000),
      { width: 50_000, height: 50_000 },
    ],
    ['a GIF', latin1('GIF89a\x20\x03\x58\x02'), { width: 800, height: 600 }],
    [
      'a JPEG behind a long comment',
      Buffer.concat([
        Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0xff, 0xff]),
        Buffer.alloc(0xfffd),
        Buffer.from([0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3]),
      ]),
      { width: 800, height: 600 },
    ],
    ['an MP4 whose index comes last', movie, { seconds: 93.5, width: 1920, height: 1080 }],
    [
      'an MP3 of one bit rate',
      Buffer.concat([
        latin1('ID3\x04\0\0\0\0\x01\0'),
        Buffer.alloc(128),
        FRAME,
        Buffer.alloc(159_996),
      ]),
      { seconds: 10 },
    ],
    [
      'a WAV',
      Buffer.concat([
        latin1(
          'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data',
        ),
        Buffer.from([0x88, 0x58, 0x01, 0]),
        Buffer.alloc(100),
      ]),
      { seconds: 0.5 },
    ],
  ])('are read from %s', { tags: 'long' }, async (_what, bytes, facts) => {
    expect(await factsOf(bytes)).toEqual(facts);
  });

  test('are those that real programs wrote', { tags: 'long' }, async () => {
    const sharp = (await import('sharp')).default;
    const picture = sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } });
    for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] as const) {
      const bytes = await picture.clone().toFormat(format).toBuffer();
      expect([format, await factsOf(bytes)]).toEqual([format, { width: 640, height: 360 }]);
    }
  });

  test.each([
    ['a PDF whose packed objects are a bomb', packedPdf(310, 300 * 1024 ** 2)],
    [
      'a PDF whose tables lead in a circle',
      latin1(`${plainPdf(3)}`.replace('/Size 3 /Root 1 0 R', '/Prev 0')),
    ],
    [
      'an MP3 whose tag says that it is longer than the file',
      latin1('ID3\x04\0\0\x7f\x7f\x7f\x7f'),
    ],
    [
      'a JPEG without end',
      Buffer.from([0xff, 0xd8, 0xff, ...Array.from({ length: 90_000 }, () => 0xff)]),
    ],
    [
      'an MP4 of boxes within no end',
      Buffer.concat([
        box('ftyp', latin1('isom')),
        ...Array.from({ length: 5_000 }, () => box('free')),
      ]),
    ],
    ['a picture of no pixels', png(0, 600)],
    ['a cut PNG', png(800, 600).subarray(0, 20)],
  ])('are none of %s, which harms nobody', async (_what, bytes) => {
    const before = process.memoryUsage().rss;
    expect(await factsOf(bytes)).toEqual({});
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
  });
});

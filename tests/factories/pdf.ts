import { constants, deflateRawSync } from 'node:zlib';

export type Bytes = Buffer<ArrayBuffer>;

const WORDS = Buffer.from('BT /F1 48 Tf 72 600 Td (Chapter one) Tj ET');

/** A document of this many pages, whose content may be compressed. */
export function pdf(pages: number, content: Buffer = WORDS, filter = ''): Bytes {
  const kids = Array.from({ length: pages }, (_, page) => `${page + 5} 0 R`).join(' ');
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R';
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(`<</Type/Pages/Kids[${kids}]/Count ${pages}>>`),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
    Buffer.concat([
      Buffer.from(`<<${filter}/Length ${content.length}>>stream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    ...Array.from({ length: pages }, () =>
      Buffer.from(`${page}/Resources<</Font<</F1 3 0 R>>>>>>`),
    ),
  ];
  const parts = objects.flatMap((object, index) => [
    Buffer.from(`\n${index + 1} 0 obj\n`),
    object,
    Buffer.from('\nendobj'),
  ]);
  return Buffer.concat([
    Buffer.from('%PDF-1.7'),
    ...parts,
    Buffer.from(`\ntrailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`),
  ]) as Bytes;
}

/** A page whose few bytes become a gibibyte. */
export function bombOfPdf(): Bytes {
  const block = deflateRawSync(Buffer.alloc(16 * 1024 ** 2, ' '), {
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const blocks = Array.from({ length: 64 }, () => block);
  const content = Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, Buffer.from([3, 0])]);
  return pdf(2, content, '/Filter/FlateDecode');
}

/** A document with a signature. */
export const signedPdf = (): Bytes =>
  Buffer.concat([
    pdf(1),
    Buffer.from('\n99 0 obj\n<</Type/Sig/Byte#52ange[0 1 2 3]>>\nendobj'),
  ]) as Bytes;

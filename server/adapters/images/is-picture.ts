const SIGNATURES: { at: number; bytes: string }[][] = [
  [{ at: 0, bytes: '\x89PNG\r\n\x1a\n' }],
  [{ at: 0, bytes: '\xff\xd8\xff' }],
  [{ at: 0, bytes: 'GIF8' }],
  [
    { at: 0, bytes: 'RIFF' },
    { at: 8, bytes: 'WEBP' },
  ],
  [{ at: 4, bytes: 'ftypavif' }],
  [{ at: 4, bytes: 'ftypavis' }],
];

/** PNG, JPEG, GIF, WebP or AVIF by the first bytes: names and declared types prove nothing. */
export function isPicture(bytes: Buffer): boolean {
  return SIGNATURES.some((signature) =>
    signature.every(
      (part) => bytes.toString('latin1', part.at, part.at + part.bytes.length) === part.bytes,
    ),
  );
}

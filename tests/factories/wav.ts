/** A recording of so many seconds at 8,000 bytes each. */
export function wav(seconds: number): Buffer<ArrayBuffer> {
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  const rate = 8_000;
  head.writeUInt32LE(36 + seconds * rate, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(0x0001_0001, 20);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt32LE(0x0008_0001, 32);
  head.writeUInt32LE(seconds * rate, 40);
  return Buffer.concat([head, Buffer.alloc(seconds * rate, 7)]) as Buffer<ArrayBuffer>;
}

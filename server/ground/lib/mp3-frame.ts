/** Kilobits a second of layer III, of MPEG 1 and of MPEG 2 and 2.5, by the index in the header. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
];
const RATES = [44_100, 48_000, 32_000];

interface Frame {
  bytes: number;
  seconds: number;
  /** Kilobits a second. */
  bitrate: number;
}

/** The frame of an MP3 recording (layer III) at a position; null if there is none. */
export function readFrame(head: Buffer, position: number): Frame | null {
  if (position + 4 > head.length) return null;
  const word = head.readUInt32BE(position);
  const version = (word >>> 19) & 3;
  if (word >>> 21 !== 0x7ff || version === 1 || ((word >>> 17) & 3) !== 1) return null;
  const isMpeg1 = version === 3;
  const bitrate = BITRATES[isMpeg1 ? 0 : 1]?.[(word >>> 12) & 15];
  const fullRate = RATES[(word >>> 10) & 3];
  if (!bitrate || !fullRate) return null;
  const rate = isMpeg1 ? fullRate : fullRate / (version === 2 ? 2 : 4);
  const samples = isMpeg1 ? 1152 : 576;
  const bytes = Math.floor((samples / 8) * ((bitrate * 1000) / rate)) + ((word >>> 9) & 1);
  return { bytes, seconds: samples / rate, bitrate };
}

/** Where the tag ends that an MP3 recording may begin with (ID3). @param head at least 10 bytes of it */
export function endOfTag(head: Buffer): number {
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  return 10 + (((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127));
}

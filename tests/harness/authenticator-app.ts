import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Milliseconds. */
const STEP = 30_000;

/**
 * What an authenticator app shows for a key (RFC 6238: SHA-1, six digits, thirty seconds).
 * @param step 1 for the code that comes next, which is accepted as well.
 */
export function showCode(key: string, step = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP) + step));
  const hash = createHmac('sha1', decodeBase32(key)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = (hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** Six digits that are not shown for the key at this time. */
export function wrongCode(key: string): string {
  const shown = [-2, -1, 0, 1, 2].map((step) => showCode(key, step));
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find(
    (code) => !shown.includes(code),
  ) as string;
}

export function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

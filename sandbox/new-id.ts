import { randomFillSync } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would make the alphabet's first characters likelier. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** Random bytes cost far less in thousands than a few at a time. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** A random id in the provider's style, `prefix_` and then `length` letters and digits. */
export function newId(prefix: string, length = 24): string {
  let id = `${prefix}_`;
  const end = id.length + length;
  while (id.length < end) {
    const byte = anyByte();
    if (byte < UNBIASED) id += ALPHABET[byte % ALPHABET.length];
  }
  return id;
}

function anyByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.readUInt8(used++);
}

import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would make the alphabet's first characters likelier. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** A random id in the provider's style, `prefix_` and then `length` letters and digits. */
export function newId(prefix: string, length = 24): string {
  let id = `${prefix}_`;
  const end = id.length + length;
  while (id.length < end) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED && id.length < end) id += ALPHABET[byte % ALPHABET.length];
    }
  }
  return id;
}

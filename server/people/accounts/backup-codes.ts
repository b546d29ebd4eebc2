import { randomInt } from 'node:crypto';

const COUNT = 10;
/** Fifty bits. */
const LENGTH = 10;
/** No letters that are mistaken for others or for digits when copied from paper. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MISREAD: Record<string, string> = { i: '1', l: '1', o: '0' };

/** Ten new codes, each like `4f7kq-0w2xe`. */
export function createBackupCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    hyphenate(Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')),
  );
}

/** A typed code as it was issued, ignoring case, spaces and hyphens. */
export function readBackupCode(typed: string): string {
  const plain = typed.toLowerCase().replace(/[^0-9a-z]/g, '');
  return hyphenate(plain.replace(/[ilo]/g, (letter) => MISREAD[letter] ?? letter));
}

function hyphenate(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

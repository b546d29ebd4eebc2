import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'sk_padlink_';
const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

/** 256 bits of randomness behind a prefix that scanners of leaked secrets can look for. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

export function hasSecretForm(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** SHA-256, hex. A slow hash would protect nothing: there is no guessing 256 bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function hintOf(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

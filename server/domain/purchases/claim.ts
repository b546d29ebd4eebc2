import { createHash, randomBytes } from 'node:crypto';

/** 256 bits of randomness: the browser's proof that it began a checkout. Kept only as a hash. */
const CLAIM_BYTES = 32;
const CLAIM_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export function newClaim(): string {
  return randomBytes(CLAIM_BYTES).toString('base64url');
}

/** SHA-256 of a claim, hex; null for a malformed one. */
export function hashClaim(claim: string | undefined): string | null {
  if (!claim || !CLAIM_PATTERN.test(claim)) return null;
  return createHash('sha256').update(claim).digest('hex');
}

import { sha256 } from '@noble/hashes/sha2.js';
import {
  type ReceiptKey,
  type ReceiptStatement,
  readSignedReceipt,
} from '../../../contract/signed-receipt.ts';

/** What became of a file that may be a signed receipt. */
export type Verdict =
  | { kind: 'right'; statement: ReceiptStatement; key: ReceiptKey }
  /** What it says must not be believed. */
  | { kind: 'wrong' }
  | { kind: 'unknown-key' }
  | { kind: 'unreadable' }
  /** By this browser. */
  | { kind: 'unsupported' };

/** Far above any signed receipt. */
const LARGEST_BYTES = 1_000_000;

/** Verifies without the network. @param keys this site's */
export async function verifyReceipt(file: Blob, keys: ReceiptKey[]): Promise<Verdict> {
  if (file.size > LARGEST_BYTES) return { kind: 'unreadable' };
  const bytes = await file.arrayBuffer().catch(() => null);
  const receipt = bytes && readSignedReceipt(new Uint8Array(bytes));
  if (!receipt) return { kind: 'unreadable' };
  const { statement, signature, signed } = receipt;
  const key = keys.find(({ kid }) => kid === statement.key);
  if (!key) return { kind: 'unknown-key' };
  const publicKey = await importKey(key);
  if (!publicKey) return { kind: 'unsupported' };
  const isRight = await crypto.subtle.verify('Ed25519', publicKey, signature, signed);
  return isRight ? { kind: 'right', statement, key } : { kind: 'wrong' };
}

/** Null where a browser knows no Ed25519, or has no cryptography because the page came by http. */
async function importKey({ kty, crv, x }: ReceiptKey): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  } catch {
    return null;
  }
}

/**
 * The SHA-256 of a file in hexadecimal, computed piece by piece: browsers' own needs all of it in
 * memory.
 * @param onProgress told how much was read, in whole per cent, each time that is more
 * @throws DOMException where the file cannot be read
 */
export async function hashFile(file: Blob, onProgress: (percent: number) => void): Promise<string> {
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (let read = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    hash.update(value);
    const percentBefore = Math.floor((read / file.size) * 100);
    read += value.length;
    const percent = Math.floor((read / file.size) * 100);
    if (percent > percentBefore) onProgress(percent);
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

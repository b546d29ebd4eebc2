import { createECDH, hkdfSync } from 'node:crypto';

/** The order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const SEED_BYTES = 48;
const KEY_BYTES = 32;

/**
 * The keys by which push services know this installation (VAPID, RFC 8292): made from its secret,
 * so that all its processes have the same ones, and a move or a backup brings them along.
 */
export function pushKeys(secret: string) {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'push keys', SEED_BYTES));
  const number = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const privateKey = Buffer.from(number.toString(16).padStart(KEY_BYTES * 2, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return {
    // The point, not compressed: what browsers subscribe with.
    publicKey: pair.getPublicKey('base64url'),
    privateKey: privateKey.toString('base64url'),
  };
}

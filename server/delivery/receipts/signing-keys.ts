import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Selectable } from 'kysely';
import type { ReceiptKey } from '../../../contract/signed-receipt.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { isoTime } from '../../ground/lib/time.ts';

/** A retired key stays, because what it signed must be verifiable for ever. */
interface SigningKeyTable {
  /** Its thumbprint (RFC 7638): base64url. */
  id: string;
  /** 32 bytes, base64url. */
  public_key: string;
  /** PKCS #8, encrypted by a key derived from APP_SECRET: base64url. */
  sealed_private_key: string;
  created_at: number;
  /** Null for the one in use. */
  retired_at: number | null;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    signing_key: SigningKeyTable;
  }
}

export interface SigningContext extends DatabaseContext {
  /** APP_SECRET. */
  secret: string;
}

/** Has a key that signs: a new one where there is none, or none that this secret opens. */
export async function ensureSigningKey(context: SigningContext): Promise<void> {
  const { db, secret, now } = context;
  const current = await findCurrent(db);
  if (current && unseal(secret, current)) return;
  if (current) {
    await rotateSigningKey(context);
    return;
  }
  // Of several processes that start at once, one makes the key.
  await db
    .insertInto('signing_key')
    .values(createKey(secret, now()))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Retires the key in use and makes another. @returns the new one's id */
export async function rotateSigningKey({ db, secret, now }: SigningContext): Promise<string> {
  const key = createKey(secret, now());
  await transaction(db, async (trx) => {
    await trx
      .updateTable('signing_key')
      .set({ retired_at: now() })
      .where('retired_at', 'is', null)
      .execute();
    await trx.insertInto('signing_key').values(key).execute();
  });
  return key.id;
}

/** The key that signs now. @throws Error before the first start, or with another secret */
export async function openSigningKey({
  db,
  secret,
}: SigningContext): Promise<{ id: string; privateKey: KeyObject }> {
  const current = await findCurrent(db);
  const privateKey = current && unseal(secret, current);
  if (!privateKey) throw new Error('There is no key that signs receipts, or none for APP_SECRET.');
  return { id: current.id, privateKey };
}

/** All keys that ever signed, the newest first. */
export async function listReceiptKeys(db: Database): Promise<ReceiptKey[]> {
  const keys = await db
    .selectFrom('signing_key')
    .select(['id', 'public_key', 'created_at', 'retired_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return keys.map(({ id, public_key, created_at, retired_at }) => ({
    ...jwkOf(public_key),
    alg: 'EdDSA',
    use: 'sig',
    kid: id,
    created: isoTime(created_at),
    retired: retired_at === null ? null : isoTime(retired_at),
  }));
}

/** As openssl reads it. */
export function toPem({ x }: Pick<ReceiptKey, 'x'>): string {
  const key = createPublicKey({ key: jwkOf(x), format: 'jwk' });
  return String(key.export({ type: 'spki', format: 'pem' }));
}

const jwkOf = (x: string) => ({ crv: 'Ed25519', kty: 'OKP', x }) as const;

function findCurrent(db: Database): Promise<Selectable<SigningKeyTable> | undefined> {
  return db
    .selectFrom('signing_key')
    .selectAll()
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}

function createKey(secret: string, now: number): SigningKeyTable {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const id = createHash('sha256')
    .update(JSON.stringify(jwkOf(x)))
    .digest('base64url');
  return {
    id,
    public_key: x,
    sealed_private_key: seal(secret, id, privateKey),
    created_at: now,
    retired_at: null,
  };
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

function sealingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'signing keys', 32));
}

function seal(secret: string, id: string, privateKey: KeyObject): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(secret), iv).setAAD(Buffer.from(id));
  const sealed = [
    cipher.update(privateKey.export({ type: 'pkcs8', format: 'der' })),
    cipher.final(),
  ];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/** Null for what another secret has sealed. */
function unseal(
  secret: string,
  { id, sealed_private_key }: Pick<SigningKeyTable, 'id' | 'sealed_private_key'>,
): KeyObject | null {
  const sealed = Buffer.from(sealed_private_key, 'base64url');
  const decipher = createDecipheriv(CIPHER, sealingKey(secret), sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(id))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const opened = [decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return createPrivateKey({ key: Buffer.concat(opened), format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  }
}

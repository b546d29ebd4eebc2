import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { SecretKeyDetails } from '../../../contract/account-details.ts';
import { holdsControls, isBlank, isLongerThan } from '../../../contract/characters.ts';
import { fact } from '../../../contract/fact.ts';
import { MAX_KEY_NAME_LENGTH, MAX_SECRET_KEYS } from '../../../contract/limits.ts';
import { SCOPES, type Scope } from '../../../contract/secret-key-scopes.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import type { SecretKey } from './tables.ts';

/** Scanners of leaked secrets can look for it. */
const PREFIX = 'sk_padlink_';
/** 256 random bits follow it. */
const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

/**
 * Gives an account a new secret key. The secret is returned this once.
 * @throws DomainError INVALID_KEY_NAME, INVALID_INPUT for its scopes, TOO_MANY_SECRET_KEYS
 */
export async function createSecretKey(
  { db, now }: DatabaseContext,
  { ownerId, name, scopes }: { ownerId: string; name: string; scopes: readonly string[] },
): Promise<{ key: SecretKey; secret: string }> {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const row = {
    id: randomUUID(),
    owner_id: ownerId,
    name: validateKeyName(name),
    scopes: validateScopes(scopes),
    hash: hashSecret(secret),
    hint: secret.slice(-HINT_LENGTH),
    created_at: now(),
    last_used_at: null,
    revoked_at: null,
  };
  const key = await transaction(db, async (trx) => {
    // Holds the account's row: parallel creations count one after the other.
    await trx.updateTable('user').set({ id: ownerId }).where('id', '=', ownerId).execute();
    if ((await countLiveKeys(trx, ownerId)) >= MAX_SECRET_KEYS) {
      throw new DomainError(
        'TOO_MANY_SECRET_KEYS',
        fact('An account can have at most {limit} secret keys. Revoke one that is not in use.', {
          limit: MAX_SECRET_KEYS,
        }),
      );
    }
    return trx.insertInto('secret_key').values(row).returningAll().executeTakeFirstOrThrow();
  });
  return { key, secret };
}

async function countLiveKeys(db: Database, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('secret_key')
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The live key behind a secret. A key whose account is gone or suspended opens nothing. */
export async function findSecretKey(db: Database, secret: string): Promise<SecretKey | undefined> {
  if (!secret.startsWith(PREFIX)) return undefined;
  return db
    .selectFrom('secret_key')
    .innerJoin('user', 'user.id', 'secret_key.owner_id')
    .leftJoin('suspension', 'suspension.user_id', 'secret_key.owner_id')
    .where('suspension.user_id', 'is', null)
    .where('secret_key.hash', '=', hashSecret(secret))
    .where('secret_key.revoked_at', 'is', null)
    .selectAll('secret_key')
    .executeTakeFirst();
}

/** The live keys of an account, newest first. */
export function listSecretKeys(db: Database, ownerId: string): Promise<SecretKey[]> {
  return db
    .selectFrom('secret_key')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Using a key must not cause a write each time: its last use is accurate to a minute. */
const PRECISION_MS = 60_000;

/** Notes that a key was used now, at most once a minute. */
export async function recordKeyUse(
  { db, now }: DatabaseContext,
  key: Pick<SecretKey, 'id' | 'last_used_at'>,
): Promise<void> {
  const usedAt = now();
  if (key.last_used_at !== null && usedAt - key.last_used_at < PRECISION_MS) return;
  await db
    .updateTable('secret_key')
    .set({ last_used_at: usedAt })
    .where('id', '=', key.id)
    .where(({ eb, or }) =>
      or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', usedAt - PRECISION_MS)]),
    )
    .execute();
}

/** Revokes all keys of an account permanently. */
export async function revokeSecretKeys(
  { db, now }: DatabaseContext,
  ownerId: string,
): Promise<void> {
  await db
    .updateTable('secret_key')
    .set({ revoked_at: now() })
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .execute();
}

/**
 * Revokes a key permanently.
 * @throws DomainError NOT_FOUND unless it is a live key of this account
 */
export async function revokeSecretKey(
  { db, now }: DatabaseContext,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('secret_key')
    .set({ revoked_at: now() })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) {
    throw new DomainError(
      'NOT_FOUND',
      'This secret key does not exist. It may already have been revoked.',
    );
  }
}

/** SHA-256, hex. A slow hash would protect nothing: there is no guessing 256 bits. */
const hashSecret = (secret: string): string => hash('sha256', secret);

/** The name without surrounding space. @throws DomainError INVALID_KEY_NAME */
function validateKeyName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (isBlank(name)) throw new DomainError('INVALID_KEY_NAME', 'Give the key a name.');
  if (isLongerThan(name, MAX_KEY_NAME_LENGTH)) {
    throw new DomainError(
      'INVALID_KEY_NAME',
      fact('The name is longer than {limit} characters.', { limit: MAX_KEY_NAME_LENGTH }),
    );
  }
  if (holdsControls(name)) {
    throw new DomainError('INVALID_KEY_NAME', 'The name contains invisible control characters.');
  }
  return name;
}

/** As they are kept. @throws DomainError INVALID_INPUT */
function validateScopes(given: readonly string[]): string {
  const unknown = given.filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length > 0 || given.length === 0) {
    const advice = `The scopes of a key are one or more of: ${SCOPES.join(', ')}.`;
    throw new DomainError('INVALID_INPUT', advice);
  }
  return SCOPES.filter((scope) => given.includes(scope)).join(' ');
}

/** What a key may do. */
export function scopesOf({ scopes }: Pick<SecretKey, 'scopes'>): Scope[] {
  return SCOPES.filter((scope) => scopes.split(' ').includes(scope));
}

/** A key as its owner gets to see it. */
export function describeSecretKey(key: SecretKey): SecretKeyDetails {
  const { id, name, hint, created_at, last_used_at } = key;
  return {
    id,
    name,
    hint,
    scopes: scopesOf(key),
    createdAt: isoTime(created_at),
    lastUsedAt: last_used_at === null ? null : isoTime(last_used_at),
  };
}

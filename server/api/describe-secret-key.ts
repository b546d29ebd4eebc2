import type { SecretKeyDetails } from '../../contract/account-details.ts';
import type { SecretKey } from '../domain/accounts/tables.ts';
import { isoTime } from './iso-time.ts';

/** A key as its owner gets to see it. */
export function describeSecretKey(key: SecretKey): SecretKeyDetails {
  const { id, name, hint, created_at, last_used_at } = key;
  return {
    id,
    name,
    hint,
    createdAt: isoTime(created_at),
    lastUsedAt: last_used_at === null ? null : isoTime(last_used_at),
  };
}

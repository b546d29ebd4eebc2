import { findSecretKey } from '../domain/accounts/secret-keys/find-secret-key.ts';
import { recordKeyUse } from '../domain/accounts/secret-keys/record-key-use.ts';
import type { Database } from '../domain/tables.ts';

interface Deps {
  db: Database;
  now: () => number;
  /** Told when the use of a key could not be noted. */
  notRecorded(error: unknown): void;
}

/** Finds the creator behind a secret key; that it was used is noted beside the request. */
export function createFindKeyOwner({ db, now, notRecorded }: Deps) {
  return async (secret: string): Promise<string | null> => {
    const key = await findSecretKey(db, secret);
    if (!key) return null;
    setImmediate(() => recordKeyUse(db, key, now()).catch(notRecorded));
    return key.owner_id;
  };
}

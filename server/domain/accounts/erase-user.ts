import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Erases who an account belonged to. Sessions and credentials refer to the user and go with it;
 * ids are random, so that this one never comes back.
 */
export async function eraseUser(db: Database, userId: string): Promise<void> {
  const { email } = await db
    .deleteFrom('user')
    .where('id', '=', userId)
    .returning('email')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('seller').where('owner_id', '=', userId).execute();
  await db.deleteFrom('secret_key').where('owner_id', '=', userId).execute();
  // Codes that were mailed and not used are kept by "{purpose}-otp-{address}", a change of address
  // by both addresses.
  await db
    .deleteFrom('verification')
    .where('identifier', 'in', [`email-verification-otp-${email}`, `forget-password-otp-${email}`])
    .execute();
  const changes = `change-email-otp-${email}-`;
  await db
    .deleteFrom('verification')
    .where(sql<boolean>`substr(identifier, 1, ${[...changes].length}) = ${changes}`)
    .execute();
}

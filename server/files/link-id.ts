import { randomUUID } from 'node:crypto';
import { fact } from '../../contract/fact.ts';
import { LINK_ID_PATTERN } from '../../contract/limits.ts';
import { dialectOf } from '../ground/database/dialect.ts';
import { prepare } from '../ground/database/prepare.ts';
import type { Database } from '../ground/database/tables.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { isThere } from '../ground/lib/is-there.ts';

/**
 * Reserves a link id for its owner permanently: the requested one, or a new one. A requested id may
 * already be this owner's, so that several uploads and the link itself share it.
 * @throws DomainError INVALID_LINK_ID, LINK_ID_TAKEN
 */
export async function reserveLinkId(
  db: Database,
  { ownerId, id }: { ownerId: string; id?: string | null },
  now: number,
): Promise<string> {
  if (id === undefined || id === null) return reserveNewId(db, ownerId, now);
  if (!LINK_ID_PATTERN.test(id)) {
    throw new DomainError('INVALID_LINK_ID', 'A link id consists of 8 characters, 0-9 or a-f.');
  }
  const reserve = () => insertId(db, id, ownerId, now);
  // In between, it may have been released.
  if (!(await reserve()) && !(await isUsableBy(db, id, ownerId)) && !(await reserve())) {
    throw new DomainError('LINK_ID_TAKEN', fact("The link id '{id}' is already in use.", { id }));
  }
  return id;
}

/**
 * Releases a link id that never got a link or an upload, in the caller's transaction, so that
 * canceled uploads leave nothing. The id of a link is never released.
 */
export async function releaseLinkId(trx: Database, id: string): Promise<void> {
  await trx
    .selectFrom('link_id')
    .select('id')
    .where('id', '=', id)
    // Locked by whatever creates an upload or a link with this id, until both can be seen.
    .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
    .execute();
  await trx
    .deleteFrom('link_id')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('file').select('key').where('link_id', '=', id))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('link').select('link.id').where('link.id', '=', id))),
    )
    .execute();
}

/** At ten million links one id in 430 is taken: the next attempt succeeds. */
async function reserveNewId(db: Database, ownerId: string, now: number): Promise<string> {
  for (;;) {
    const id = randomUUID().slice(0, 8);
    if (await insertId(db, id, ownerId, now)) return id;
  }
}

const insertLinkId = prepare((db, id: string, ownerId: string, now: number) =>
  db
    .insertInto('link_id')
    .values({ id, owner_id: ownerId, reserved_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
);

async function insertId(db: Database, id: string, ownerId: string, now: number): Promise<boolean> {
  return (await insertLinkId(db, id, ownerId, now)).length === 1;
}

async function isUsableBy(db: Database, id: string, ownerId: string): Promise<boolean> {
  const usable = db
    .selectFrom('link_id')
    .leftJoin('link', 'link.id', 'link_id.id')
    .select('link_id.id')
    .where('link_id.id', '=', id)
    .where('link_id.owner_id', '=', ownerId)
    .where('link.deleted_at', 'is', null)
    // From here on, nobody releases it.
    .$if(dialectOf(db) === 'postgres', (query) => query.forKeyShare('link_id'));
  return isThere(usable);
}

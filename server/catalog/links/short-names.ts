import { fact } from '../../../contract/fact.ts';
import { checkShortName, tidyHandle } from '../../../contract/seller-rules.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Link } from './tables.ts';

/** Of a link, with those that it had before: all of them lead to it. */
const MAX_SHORT_NAMES = 6;

/**
 * Gives a link a short name, or none, in the transaction that changes it. The one it had goes on
 * leading to it, until another link of the seller gets it.
 * @returns the name as it is kept
 * @throws DomainError INVALID_SHORT_NAME, SHORT_NAME_TAKEN, TOO_MANY_SHORT_NAMES
 */
export async function takeShortName(
  trx: DatabaseTransaction,
  { id, owner_id }: Pick<Link, 'id' | 'owner_id'>,
  typed: string,
): Promise<string | null> {
  const name = tidyHandle(typed);
  if (name === '') return null;
  const fault = checkShortName(name);
  if (fault) throw new DomainError('INVALID_SHORT_NAME', fault);
  const taken = await trx
    .insertInto('short_name')
    .values({ owner_id, name, link_id: id })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_id', 'name'])
        .doUpdateSet({ link_id: id })
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('link')
                .where('link.owner_id', '=', owner_id)
                .where('link.short_name', '=', name)
                .where('link.id', '!=', id)
                .where('link.deleted_at', 'is', null)
                .select('link.id'),
            ),
          ),
        ),
    )
    .returning('name')
    .executeTakeFirst();
  if (!taken) {
    const words = 'Another of your links has this short address. Choose another one.';
    throw new DomainError('SHORT_NAME_TAKEN', words);
  }
  // A deleted link may come back.
  await trx
    .updateTable('link')
    .set({ short_name: null })
    .where('owner_id', '=', owner_id)
    .where('short_name', '=', name)
    .where('id', '!=', id)
    .execute();
  const had = await trx
    .selectFrom('short_name')
    .where('link_id', '=', id)
    .orderBy('name')
    .select('name')
    .execute();
  if (had.length <= MAX_SHORT_NAMES) return name;
  const others = had.map((row) => row.name).filter((other) => other !== name);
  throw new DomainError(
    'TOO_MANY_SHORT_NAMES',
    fact(
      'This link has had {limit} short addresses, which all lead to it. Go back to one of them: {others}.',
      { limit: MAX_SHORT_NAMES, others: others.join(', ') },
    ),
  );
}

const readShort = prepare((db, ownerId: string, name: string) =>
  db
    .selectFrom('short_name')
    .where('owner_id', '=', ownerId)
    .where('name', '=', name)
    .select('link_id'),
);

/** The link that a short name of a seller leads to, whatever became of the link. */
export async function findShortLink(
  db: Database,
  ownerId: string,
  typed: string,
): Promise<string | null> {
  const [row] = await readShort(db, ownerId, tidyHandle(typed));
  return row?.link_id ?? null;
}

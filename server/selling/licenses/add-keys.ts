import { randomUUID } from 'node:crypto';
import { fact } from '../../../contract/fact.ts';
import { checkLicenseKeys, readLicenseKeys } from '../../../contract/license-rules.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { findOwnLink, type LinkAuthor } from '../../catalog/links/queries.ts';
import type { DatabaseContext, DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

/** Keys of a link that nobody has bought yet: they are counted at each checkout. */
const MAX_FREE_LICENSE_KEYS = 10_000;

interface Input {
  author: LinkAuthor;
  linkId: string;
  /** One key a line. */
  pasted: string;
}

/**
 * Adds keys to the seller's own list of a link. The first ones go to those who paid when it had run out.
 * @returns how many were added: those that the link has already are left out
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED, INVALID_INPUT with the reason in a sentence
 */
export async function addLicenseKeys(
  { db, now }: DatabaseContext,
  { author, linkId, pasted }: Input,
): Promise<number> {
  const keys = readLicenseKeys(pasted);
  const fault = checkLicenseKeys(keys);
  if (fault) throw new DomainError('INVALID_INPUT', fault);
  const addedAt = now();
  return transaction(db, async (trx) => {
    const link = await findOwnLink(trx, author, linkId);
    await holdLink(trx, link.id, addedAt);
    const known = await trx
      .selectFrom('license_key')
      .where('link_id', '=', link.id)
      .where('lookup', 'in', keys)
      .select('lookup')
      .execute();
    const taken = new Set(known.map(({ lookup }) => lookup));
    const fresh = keys.filter((key) => !taken.has(key));
    const given = await giveToOwed(trx, link.id, fresh);
    const free = fresh.slice(given);
    await refuseTooMany(trx, link.id, free.length);
    // They are handed out in the order of their ids.
    const ids = free.map(() => randomUUID()).sort();
    if (free.length > 0) {
      const rows = free.map((key, place) => ({ id: ids[place] ?? '', key, lookup: key }));
      const own = { link_id: link.id, purchase_id: null, created_at: addedAt, given_at: null };
      await trx
        .insertInto('license_key')
        .values(rows.map((row) => ({ ...row, ...own })))
        .execute();
    }
    announce(trx, { kind: 'link-updated', id: link.id, ownerId: link.owner_id });
    return fresh.length;
  });
}

/** What is kept of its page is not true any more. Sales wait, and then find what was added. */
async function holdLink(trx: DatabaseTransaction, id: string, now: number): Promise<void> {
  const held = await trx
    .updateTable('link')
    .set((update) => ({ version: update('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!held) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
}

/** @returns how many of the keys went to those who wait for one, the longest first */
async function giveToOwed(
  trx: DatabaseTransaction,
  linkId: string,
  keys: string[],
): Promise<number> {
  const owed = await trx
    .selectFrom('license_key')
    .where('link_id', '=', linkId)
    .where('key', 'is', null)
    .orderBy('given_at')
    .orderBy('id')
    .limit(keys.length)
    .select('id')
    .execute();
  for (const [place, { id }] of owed.entries()) {
    const key = keys[place];
    await trx.updateTable('license_key').set({ key, lookup: key }).where('id', '=', id).execute();
  }
  return owed.length;
}

async function refuseTooMany(
  trx: DatabaseTransaction,
  linkId: string,
  added: number,
): Promise<void> {
  const { free } = await trx
    .selectFrom('license_key')
    .where('link_id', '=', linkId)
    .where('purchase_id', 'is', null)
    .select(({ fn }) => fn.countAll<number | string>().as('free'))
    .executeTakeFirstOrThrow();
  if (Number(free) + added <= MAX_FREE_LICENSE_KEYS) return;
  const limit = MAX_FREE_LICENSE_KEYS;
  throw new DomainError(
    'INVALID_INPUT',
    fact('A link keeps up to {limit} unsold license keys.', { limit }),
  );
}

import { randomUUID } from 'node:crypto';
import { type Fact, fact } from '../../../contract/fact.ts';
import { checkLicenseKeys, readLicenseKeys } from '../../../contract/license-rules.ts';
import { nameLink } from '../../../contract/name-link.ts';
import { TEXTS } from '../../../contract/texts.ts';
import { findOwnLink, type LinkAuthor } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import type { DatabaseContext, DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { mailHolder } from '../purchases/resend-receipt.ts';
import { holdLink } from './hold-link.ts';

/** Keys of a link that nobody has bought yet: they are counted at each checkout. */
const MAX_FREE_LICENSE_KEYS = 10_000;
/** The same of all links of an account together. */
const MAX_FREE_LICENSE_KEYS_OF_OWNER = 100_000;

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
  if (fault) throw refused(fault);
  const addedAt = now();
  return transaction(db, async (trx) => {
    const link = await findOwnLink(trx, author, linkId);
    const { isDeleted } = await holdLink(trx, link.id, addedAt);
    if (isDeleted) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    // Writes nothing new, but holds the row: of two links at once, each finds what the other was given.
    const { owner_id: id } = link;
    await trx.updateTable('user').set({ id }).where('id', '=', id).execute();
    const fresh = await leaveOutKnown(trx, link, keys);
    const given = await giveToOwed(trx, link.id, fresh, addedAt);
    const free = fresh.slice(given);
    await refuseTooMany(trx, link, free.length);
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

/**
 * The keys that the link does not have yet.
 * @throws DomainError INVALID_INPUT for one that another link of its owner has: it would be sold twice
 */
async function leaveOutKnown(
  trx: DatabaseTransaction,
  { id, owner_id: ownerId }: Link,
  keys: string[],
): Promise<string[]> {
  const known = await trx
    // Joined at once, all links of a seller would be looked through for each key.
    .with(
      (cte) => cte('alike').materialized(),
      (query) =>
        query.selectFrom('license_key').where('lookup', 'in', keys).select(['link_id', 'lookup']),
    )
    .selectFrom('alike')
    .innerJoin('link', 'link.id', 'alike.link_id')
    .where('link.owner_id', '=', ownerId)
    .select(['link.id', 'link.title', 'alike.lookup'])
    .execute();
  const other = known.find((key) => key.id !== id);
  if (other) {
    const names = { key: other.lookup ?? '', name: nameLink(other) };
    throw refused(fact('“{key}” is already a key of “{name}”.', names));
  }
  const taken = new Set(known.map(({ lookup }) => lookup));
  return keys.filter((key) => !taken.has(key));
}

/**
 * Gives keys to those who wait for one, the longest first, and mails them what opens it.
 * @returns how many
 */
async function giveToOwed(
  trx: DatabaseTransaction,
  linkId: string,
  keys: string[],
  now: number,
): Promise<number> {
  const owed = await trx
    .selectFrom('license_key')
    .innerJoin('purchase', 'purchase.id', 'license_key.purchase_id')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('license_key.link_id', '=', linkId)
    .where('license_key.key', 'is', null)
    .where('access_grant.state', '!=', 'ended')
    .orderBy('license_key.given_at')
    .orderBy('license_key.id')
    .limit(keys.length)
    .select(['license_key.id', 'license_key.purchase_id', 'purchase.gift_email'])
    .$narrowType<{ purchase_id: string }>()
    .execute();
  for (const [place, { id, purchase_id, gift_email }] of owed.entries()) {
    const key = keys[place];
    await trx.updateTable('license_key').set({ key, lookup: key }).where('id', '=', id).execute();
    await mailHolder(trx, { id: purchase_id, gift_email }, now);
  }
  return owed.length;
}

/** @throws DomainError INVALID_INPUT */
async function refuseTooMany(
  trx: DatabaseTransaction,
  { id, owner_id: ownerId }: Link,
  added: number,
): Promise<void> {
  const free = trx
    .selectFrom('license_key')
    .where('license_key.purchase_id', 'is', null)
    .select(({ fn }) => fn.countAll<number | string>().as('free'));
  const ofLink = await free.where('license_key.link_id', '=', id).executeTakeFirstOrThrow();
  if (Number(ofLink.free) + added > MAX_FREE_LICENSE_KEYS) {
    const limit = MAX_FREE_LICENSE_KEYS;
    throw refused(fact('A link keeps up to {limit} unsold license keys.', { limit }));
  }
  const ofOwner = await free
    .innerJoin('link', 'link.id', 'license_key.link_id')
    .where('link.owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (Number(ofOwner.free) + added > MAX_FREE_LICENSE_KEYS_OF_OWNER) {
    const limit = MAX_FREE_LICENSE_KEYS_OF_OWNER;
    throw refused(fact('Your links together keep up to {limit} unsold license keys.', { limit }));
  }
}

const refused = (why: Fact) => new DomainError('INVALID_INPUT', why);

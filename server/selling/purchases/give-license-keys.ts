import { randomBytes, randomUUID } from 'node:crypto';
import type { Link } from '../../catalog/links/tables.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';

/** One of the links that a purchase brings. */
interface Brought {
  purchase_id: string;
  link_id: string;
  license_keys: Link['license_keys'];
}

/**
 * Gives a purchase that settles the license key of each link that has them. Where the seller's own list
 * has run out meanwhile, it is owed one: their next key is for that purchase. Nobody adds keys before
 * this commits: settlements hold their links.
 */
export async function giveLicenseKeys(
  trx: DatabaseTransaction,
  brought: Brought[],
  now: number,
): Promise<void> {
  for (const { purchase_id, link_id, license_keys } of brought) {
    if (license_keys === null || license_keys === 'off') continue;
    if (license_keys === 'list' && (await takeFree(trx, link_id, purchase_id, now)).length > 0) {
      continue;
    }
    const key = license_keys === 'generated' ? makeKey() : null;
    const lookup = key?.replaceAll('-', '') ?? null;
    const given = { purchase_id, created_at: now, given_at: now };
    await trx
      .insertInto('license_key')
      .values({ id: randomUUID(), link_id, key, lookup, ...given })
      .execute();
  }
}

/** The first key that nobody has; two purchases at once take two. */
const takeFree = prepare((db, linkId: string, purchaseId: string, now: number) =>
  db
    .updateTable('license_key')
    .set({ purchase_id: purchaseId, given_at: now })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('license_key as free')
        .where('free.link_id', '=', linkId)
        .where('free.purchase_id', 'is', null)
        .orderBy('free.created_at')
        .orderBy('free.id')
        .limit(1)
        .select('free.id')
        .$if(dialectOf(db) === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .returning('id'),
);

/** Crockford's base 32: no letter in it looks like a digit. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GENERATED = /^[0-9A-HJKMNP-TV-Z]{25}$/;

/** 125 random bits in five groups of five: 7K3QZ-0M8WT-… */
function makeKey(): string {
  const symbols = Array.from(randomBytes(25), (byte) => SYMBOLS[byte % 32]).join('');
  return symbols.replace(/.{5}(?=.)/g, '$&-');
}

/** What a key is found by as somebody typed it: as it stands, or as one that was generated. */
export function lookupsOf(typed: string): { listed: string; generated: string } {
  const listed = typed.trim();
  const symbols = listed
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return { listed, generated: GENERATED.test(symbols) ? symbols : listed };
}

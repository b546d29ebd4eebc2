import type { Link } from '../../catalog/links/tables.ts';
import type { Database } from '../../ground/database/tables.ts';
import { readPage } from '../../ground/lib/newest-first.ts';
import { worthOf } from '../access/access.ts';
import type { LicenseKey } from './tables.ts';

/** A license key as its seller sees it: whose it is, is not told. */
export interface ListedKey extends Pick<LicenseKey, 'id' | 'key'> {
  /** Of the sale that it was given with; null while it is free. */
  purchaseId: string | null;
  /** 'free', 'owed', or what the purchase is worth: 'valid', 'suspended' or 'ended'. */
  state: 'free' | 'owed' | 'valid' | 'suspended' | 'ended';
  /** When it was given, or added while it is free; UTC milliseconds. */
  time: number;
  devices: string[];
}

interface Wanted {
  link: Link;
  /** Those that nobody has bought, in place of those that were given. */
  free: boolean;
  token: string | null;
}

/**
 * The keys of a link, the newest first.
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listLicenseKeys(
  db: Database,
  { link, free, token }: Wanted,
): Promise<{ items: ListedKey[]; nextToken: string | null }> {
  const time = free ? 'license_key.created_at' : 'license_key.given_at';
  const found = db
    .selectFrom('license_key')
    .leftJoin('access_grant', 'access_grant.purchase_id', 'license_key.purchase_id')
    .where('license_key.link_id', '=', link.id)
    .where('license_key.purchase_id', free ? 'is' : 'is not', null)
    .select(['license_key.id', 'license_key.key', 'license_key.purchase_id'])
    .select((eb) => eb.ref(time).$notNull().as('time'))
    .select(['access_grant.id as grant_id', 'access_grant.state']);
  const { items, nextToken } = await readPage(found, {
    list: free ? 'free license keys' : 'license keys',
    by: [time, 'license_key.id'],
    placeOf: ({ time, id }) => ({ time, id }),
    token,
  });
  const devices = await devicesOf(
    db,
    items.map(({ id }) => id),
  );
  const listed = items.map(({ id, key, purchase_id: purchaseId, grant_id, state, time }) => ({
    id,
    key,
    purchaseId,
    state: stateOf(link, key, grant_id, state),
    time,
    devices: (devices.get(id) ?? []).map(({ device }) => device),
  }));
  return { items: listed, nextToken };
}

const STATES = { granted: 'valid', suspended: 'suspended', none: 'ended' } as const;

function stateOf(
  link: Link,
  key: string | null,
  grantId: string | null,
  grantState: 'active' | 'suspended' | 'ended' | null,
): ListedKey['state'] {
  if (grantId === null) return 'free';
  const worth = worthOf(
    { right: { kind: 'grant', grantId }, grantState: grantState ?? undefined },
    link,
  );
  return key === null && worth !== 'none' ? 'owed' : STATES[worth];
}

async function devicesOf(
  db: Database,
  keyIds: string[],
): Promise<Map<string, { device: string }[]>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('license_activation')
    .where('key_id', 'in', keyIds)
    .orderBy('activated_at')
    .orderBy('device')
    .select(['key_id', 'device'])
    .execute();
  return Map.groupBy(rows, ({ key_id }) => key_id);
}

/** How many keys of a link nobody has bought, and how many are owed. */
export async function countLicenseKeys(
  db: Database,
  linkId: string,
): Promise<{ free: number; owed: number }> {
  const { free, owed } = await db
    .selectNoFrom(({ selectFrom }) => {
      const keys = selectFrom('license_key')
        .where('license_key.link_id', '=', linkId)
        .select(({ fn }) => fn.countAll<number | string>().as('count'));
      return [
        keys.where('license_key.purchase_id', 'is', null).as('free'),
        keys
          .innerJoin('access_grant', 'access_grant.purchase_id', 'license_key.purchase_id')
          .where('license_key.key', 'is', null)
          .where('access_grant.state', '!=', 'ended')
          .as('owed'),
      ];
    })
    .executeTakeFirstOrThrow();
  return { free: Number(free), owed: Number(owed) };
}

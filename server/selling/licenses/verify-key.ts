import { MAX_LICENSE_DEVICES } from '../../../contract/limits.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { worthOf } from '../access/access.ts';
import { lookupsOf } from '../purchases/give-license-keys.ts';

interface Asked {
  linkId: string;
  /** As it was typed. */
  key: string;
  /**
   * Takes one from what may be guessed.
   * @returns gives it back, for a key that exists
   * @throws RateLimited
   */
  countGuess(): Promise<() => void>;
  /**
   * Takes one from how often the devices of a key may change.
   * @returns gives it back, for what changed nothing
   * @throws RateLimited
   */
  countChange(keyId: string): Promise<() => void>;
}

/** What a program is told of a key: of another link, too, only that it is unknown. */
export type Verdict =
  | {
      valid: true;
      activations: number;
      /** Null for any number. */
      maxActivations: number | null;
      /** UTC milliseconds. */
      purchasedAt: number;
      test: boolean;
    }
  | {
      valid: false;
      reason: 'unknown' | 'refunded' | 'suspended' | 'taken-down' | 'too-many-activations';
    };

/**
 * Says whether a license key is worth something now: as long as its purchase gives access to its link.
 * @param device to activate it on, unless it is active there
 * @throws RateLimited after too many guesses, or changes of its devices
 */
export async function verifyLicenseKey(
  context: DatabaseContext,
  asked: Asked,
  device: string | null,
): Promise<Verdict> {
  const found = await findKey(context.db, asked, device);
  return found ? judge({ ...context, ...asked }, found, device) : UNKNOWN;
}

const UNKNOWN: Verdict = { valid: false, reason: 'unknown' };

async function judge(
  { db, now, countChange }: DatabaseContext & Pick<Asked, 'countChange'>,
  found: FoundKey,
  device: string | null,
): Promise<Verdict> {
  const { grant_id: grantId, state: grantState, license_devices: limit } = found;
  const worth = worthOf({ right: { kind: 'grant', grantId }, grantState }, found);
  if (worth === 'suspended') return { valid: false, reason: 'suspended' };
  if (worth === 'none') {
    return { valid: false, reason: grantState === 'ended' ? 'refunded' : 'taken-down' };
  }
  let activations: number | null = Number(found.activations);
  if (device !== null && Number(found.is_active) === 0) {
    const giveBack = await countChange(found.id);
    activations = await activate(db, found.id, { device, limit }, now());
    if (activations === null) {
      giveBack();
      return { valid: false, reason: 'too-many-activations' };
    }
  }
  return {
    valid: true,
    activations,
    maxActivations: limit,
    purchasedAt: Number(found.settled_at),
    test: found.mode === 'test',
  };
}

/**
 * Frees a device of a key for another one.
 * @returns what the key is worth then
 * @throws RateLimited after too many guesses, or changes of its devices
 */
export async function deactivateLicenseKey(
  context: DatabaseContext,
  asked: Asked,
  device: string,
): Promise<Verdict> {
  const { db } = context;
  const found = await findKey(db, asked, device);
  if (!found) return UNKNOWN;
  if (Number(found.is_active) > 0) await asked.countChange(found.id);
  const { numDeletedRows: freed } = await db
    .deleteFrom('license_activation')
    .where('key_id', '=', found.id)
    .where('device', '=', device)
    .executeTakeFirst();
  const activations = Number(found.activations) - Number(freed);
  return judge({ ...context, ...asked }, { ...found, activations }, null);
}

type FoundKey = Awaited<ReturnType<typeof readKey>>[number];

async function findKey(
  db: Database,
  { linkId, key, countGuess }: Asked,
  device: string | null,
): Promise<FoundKey | undefined> {
  // Taken first: guesses made at once cannot slip through.
  const taken = await countGuess().then(
    (giveBack) => ({ giveBack }),
    (refusal: unknown) => ({ refusal }),
  );
  const [found] = await readKey(db, { linkId, ...lookupsOf(key), device: device ?? '' });
  // Nobody guesses a generated one, of 125 bits: who has it is answered, whatever others try.
  const isGenerated = found && found.key !== found.lookup;
  if ('refusal' in taken && !isGenerated) throw taken.refusal;
  if ('giveBack' in taken && found) taken.giveBack();
  return found;
}

interface Sought extends ReturnType<typeof lookupsOf> {
  linkId: string;
  device: string;
}

const readKey = prepare((db, { linkId, listed, generated, device }: Sought) =>
  db
    .selectFrom('license_key')
    .innerJoin('purchase', 'purchase.id', 'license_key.purchase_id')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'license_key.purchase_id')
    .innerJoin('link', 'link.id', 'license_key.link_id')
    .where('license_key.link_id', '=', linkId)
    .where('license_key.lookup', 'in', [listed, generated])
    .select(['license_key.id', 'license_key.key', 'license_key.lookup'])
    .select(['purchase.settled_at', 'purchase.mode'])
    .select(['access_grant.id as grant_id', 'access_grant.state'])
    .select(['link.owner_id', 'link.taken_down_at', 'link.deleted_at', 'link.unlocked'])
    .select(['link.paused', 'link.license_devices'])
    .select(({ selectFrom }) => {
      const activations = selectFrom('license_activation')
        .whereRef('license_activation.key_id', '=', 'license_key.id')
        .select(({ fn }) => fn.countAll<number | string>().as('count'));
      return [
        activations.as('activations'),
        activations.where('device', '=', device).as('is_active'),
      ];
    })
    .$narrowType<{ activations: number | string; is_active: number | string }>(),
);

/** @returns how many devices use the key then; null where it is used on as many as it may be */
async function activate(
  db: Database,
  keyId: string,
  { device, limit }: { device: string; limit: number | null },
  now: number,
): Promise<number | null> {
  return transaction(db, async (trx) => {
    // Of several devices at once, each counts the ones before it.
    await trx
      .selectFrom('license_key')
      .where('id', '=', keyId)
      .select('id')
      .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
      .execute();
    const active = await trx
      .selectFrom('license_activation')
      .where('key_id', '=', keyId)
      .select('device')
      .execute();
    if (active.some((one) => one.device === device)) return active.length;
    if (active.length >= (limit ?? MAX_LICENSE_DEVICES)) {
      return limit === null ? active.length : null;
    }
    await trx
      .insertInto('license_activation')
      .values({ key_id: keyId, device, activated_at: now })
      .execute();
    return active.length + 1;
  });
}

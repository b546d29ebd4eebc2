import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { SENTENCES } from '../../../contract/texts.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { mailboxOf } from '../../ground/database/mailbox-of.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { AccessGrant } from '../../selling/purchases/tables.ts';

/** What the links in emails about one purchase carry. */
export type GrantTicket = z.infer<typeof GRANT_TICKET>;
export const GRANT_TICKET = z.object({ grantId: z.string() });

interface Context extends DatabaseContext {
  signer: Signer<GrantTicket>;
}

/** The grant that a link in an email is about, whatever became of it. */
export async function findGrantOf(
  { db, signer }: Pick<Context, 'db' | 'signer'>,
  token: string,
): Promise<AccessGrant | undefined> {
  const ticket = signer.read(token);
  return ticket
    ? db.selectFrom('access_grant').selectAll().where('id', '=', ticket.grantId).executeTakeFirst()
    : undefined;
}

/** By a link that the installation signed where the purchase was made. */
function findImportedGrant(db: Database, token: string): Promise<AccessGrant | undefined> {
  return db
    .selectFrom('earlier_personal_link')
    .innerJoin('access_grant', 'access_grant.id', 'earlier_personal_link.grant_id')
    .where('earlier_personal_link.hash', '=', createHash('sha256').update(token).digest('hex'))
    .selectAll('access_grant')
    .executeTakeFirst();
}

/**
 * The grant behind a receipt's personal link.
 * @throws DomainError ACCESS_LINK_INVALID, ACCESS_SUSPENDED, ACCESS_ENDED
 */
export async function findPersonalGrant(
  context: Pick<Context, 'db' | 'signer'>,
  token: string,
): Promise<AccessGrant> {
  const grant = (await findGrantOf(context, token)) ?? (await findImportedGrant(context.db, token));
  if (!grant) throw invalidLink();
  const { state, link_id: linkId } = grant;
  if (state === 'suspended') {
    throw new DomainError('ACCESS_SUSPENDED', SENTENCES.accessOnHold, { linkId });
  }
  if (state === 'ended') {
    const why = 'This purchase no longer gives access; it may have been refunded.';
    throw new DomainError('ACCESS_ENDED', why, { linkId });
  }
  return grant;
}

/** One signed with an earlier secret cannot be distinguished from a damaged or forged one. */
const invalidLink = () =>
  new DomainError(
    'ACCESS_LINK_INVALID',
    'This personal link is incomplete or no longer valid. Copy all of it from your receipt. If it still does not work, find your purchase by the address you paid with: that emails you a new link.',
  );

/** Whether a purchase was given to whoever holds it. */
export async function isGift(
  db: Database,
  { purchase_id }: Pick<AccessGrant, 'purchase_id'>,
): Promise<boolean> {
  const gift = await db
    .selectFrom('purchase')
    .where('id', '=', purchase_id)
    .where('gift_email', 'is not', null)
    .select('id')
    .executeTakeFirst();
  return gift !== undefined;
}

/**
 * Whether whoever bought wants to be mailed about new versions. It counts for all that the address
 * bought of the link: who stops these emails gets none for another purchase.
 */
export async function wantVersions(
  db: Database,
  purchaseId: string,
  isWanted: boolean,
): Promise<void> {
  await db
    .updateTable('access_grant')
    .set({ wants_versions: Number(isWanted) })
    .where('purchase_id', 'in', (select) =>
      select
        .selectFrom('purchase as named')
        .innerJoin('purchase', (join) =>
          join.on(sql<boolean>`${sql.raw(mailboxOf('purchase'))} = ${sql.raw(mailboxOf('named'))}`),
        )
        .where('named.id', '=', purchaseId)
        .where('purchase.settled_at', 'is not', null)
        .whereRef('purchase.link_id', '=', 'named.link_id')
        .select('purchase.id'),
    )
    .execute();
}

/** How many browsers besides the one that paid a personal link opens without a code. */
export const MAX_UNPROVEN_BROWSERS = 5;
/**
 * How many hold a grant besides the one that paid, those that showed a code included: the one that
 * has held it longest, and can do so again, makes room for the next.
 */
export const MAX_BROWSERS_OF_GRANT = 100;

/** The browser that opens a personal link, and who is signed in to it. */
export interface Opener {
  claimHash: string;
  accountId: string | null;
}

interface Opening {
  /** The link that was bought. */
  linkId: string;
  /** False while a code has to be entered first. */
  isOpen: boolean;
}

/**
 * Lets one more browser hold the grant behind a receipt's personal link: one of the first few, or
 * one that held it before.
 * @throws DomainError as findPersonalGrant
 */
export async function openPersonalLink(
  context: Context,
  { token, claimHash, accountId }: Opener & { token: string },
): Promise<Opening> {
  const grant = await findPersonalGrant(context, token);
  const isOpen = await transaction(context.db, async (trx) => {
    const others = await lockOtherBrowsers(trx, grant);
    const held = await trx
      .updateTable('grant_claim')
      .set({ claimed_at: context.now() })
      .where('grant_id', '=', grant.id)
      .where('claim_hash', '=', claimHash)
      .returning('grant_id')
      .executeTakeFirst();
    if (!held && others >= MAX_UNPROVEN_BROWSERS) return false;
    if (accountId !== null) await giveToAccount(trx, grant, accountId);
    if (!held) await addBrowser(trx, grant, { claimHash, claimedAt: context.now(), proven: 0 });
    return true;
  });
  return { linkId: grant.link_id, isOpen };
}

/** How many opened the personal link without a code; two at once count each other. */
async function lockOtherBrowsers(
  trx: DatabaseTransaction,
  { id, purchase_id }: AccessGrant,
): Promise<number> {
  const held = await trx
    .selectFrom('access_grant')
    .where('id', '=', id)
    .select('id')
    .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  // Its gift was sent to another address since it was read.
  if (!held) throw invalidLink();
  const { browsers } = await trx
    .selectFrom('grant_claim')
    .where('grant_id', '=', id)
    .where('proven', '=', 0)
    .where('claim_hash', '!=', ({ selectFrom }) =>
      selectFrom('purchase').where('id', '=', purchase_id).select('claim_hash'),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('browsers'))
    .executeTakeFirstOrThrow();
  return Number(browsers);
}

/** Wrong codes that one code outlives. */
const MAX_WRONG_CODES = 10;

/**
 * Where a code for one more browser would be mailed, so much of it that its owner knows it.
 * @returns null where nobody's address is known
 * @throws DomainError as findPersonalGrant
 */
export async function hintAtMailbox(
  context: Pick<Context, 'db' | 'signer'>,
  token: string,
): Promise<string | null> {
  const { purchase_id } = await findPersonalGrant(context, token);
  const { email } = await context.db
    .selectFrom('purchase')
    .where('id', '=', purchase_id)
    .select(({ fn }) => fn.coalesce('gift_email', 'buyer_email').as('email'))
    .executeTakeFirstOrThrow();
  const [, name, domain, ending] = /^(.).*@(.).*(\.[^.]+)$/u.exec(email ?? '') ?? [];
  return name && domain ? `${name}•••@${domain}•••${ending}` : null;
}

/**
 * Has a code mailed to the buyer, by which one more browser may hold the grant.
 * @throws DomainError as findPersonalGrant, RATE_LIMITED
 */
export async function askForAccessCode(
  {
    limits,
    ...context
  }: Context & {
    limits: { take(name: 'accessCodesSent', grantId: string): Promise<unknown> };
  },
  token: string,
): Promise<void> {
  const { id: grantId } = await findPersonalGrant(context, token);
  await limits.take('accessCodesSent', grantId);
  await enqueue(context.db, 'send-access-code', { grantId }, context.now());
}

interface CodeContext extends Context {
  hashCode(grantId: string, code: string): string;
}

/**
 * The same as opening, by the code that was mailed to the buyer.
 * @throws DomainError as findPersonalGrant
 */
export async function openByCode(
  context: CodeContext,
  { token, claimHash, accountId, code }: Opener & { token: string; code: string },
): Promise<Opening> {
  const grant = await findPersonalGrant(context, token);
  const isOpen = await transaction(context.db, async (trx) => {
    // Each try is counted before it is compared, so that parallel ones cannot slip through.
    const mailed = await trx
      .updateTable('access_code')
      .set(({ eb }) => ({ failures: eb('failures', '+', 1) }))
      .where('grant_id', '=', grant.id)
      .where('expires_at', '>', context.now())
      .where('failures', '<', MAX_WRONG_CODES)
      .returning('hash')
      .executeTakeFirst();
    const digits = code.replace(/\D/g, '');
    if (mailed?.hash !== context.hashCode(grant.id, digits)) return false;
    await trx.deleteFrom('access_code').where('grant_id', '=', grant.id).execute();
    if (accountId !== null) await giveToAccount(trx, grant, accountId);
    await addBrowser(trx, grant, { claimHash, claimedAt: context.now(), proven: 1 });
    return true;
  });
  return { linkId: grant.link_id, isOpen };
}

/** Lets a browser hold a grant. */
export async function addBrowser(
  trx: DatabaseTransaction,
  grant: Pick<AccessGrant, 'id' | 'purchase_id'>,
  { claimHash, claimedAt, proven }: { claimHash: string; claimedAt: number; proven: 0 | 1 },
): Promise<void> {
  const claim = { claimed_at: claimedAt, proven };
  await trx
    .insertInto('grant_claim')
    .values({ grant_id: grant.id, claim_hash: claimHash, ...claim })
    .onConflict((conflict) => conflict.columns(['claim_hash', 'grant_id']).doUpdateSet(claim))
    .execute();
  await trx
    .updateTable('purchase')
    .set({ gift_opened_at: claimedAt })
    .where('id', '=', grant.purchase_id)
    .where('gift_email', 'is not', null)
    .where('gift_opened_at', 'is', null)
    .execute();
  await dropOldestBrowsers(trx, grant);
}

/** A gift belongs to the first account that opens it: its buyer's it never was. */
async function giveToAccount(
  trx: DatabaseTransaction,
  { id, purchase_id }: AccessGrant,
  accountId: string,
): Promise<void> {
  await trx
    .updateTable('access_grant')
    .set({ buyer_id: accountId })
    .where('id', '=', id)
    .where('buyer_id', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('purchase')
          .where('id', '=', purchase_id)
          .where('gift_email', 'is not', null)
          .select('id'),
      ),
    )
    .execute();
}

/** Removes the codes whose time is over. */
export async function sweepAccessCodes(db: Database, now: number): Promise<void> {
  await db.deleteFrom('access_code').where('expires_at', '<=', now).execute();
}

async function dropOldestBrowsers(
  trx: DatabaseTransaction,
  { id, purchase_id }: Pick<AccessGrant, 'id' | 'purchase_id'>,
): Promise<void> {
  await trx
    .deleteFrom('grant_claim')
    .where('grant_id', '=', id)
    .where('claim_hash', 'in', (select) =>
      select
        .selectFrom('grant_claim')
        .where('grant_id', '=', id)
        .where('claim_hash', '!=', ({ selectFrom }) =>
          selectFrom('purchase').where('id', '=', purchase_id).select('claim_hash'),
        )
        .orderBy('claimed_at', 'desc')
        .orderBy('claim_hash')
        .limit(MAX_BROWSERS_OF_GRANT)
        .offset(MAX_BROWSERS_OF_GRANT)
        .select('claim_hash'),
    )
    .execute();
}

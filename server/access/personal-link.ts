import { z } from 'zod';
import { SENTENCES } from '../../contract/texts.ts';
import type { Database } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Signer } from '../lib/signer.ts';
import type { AccessGrant } from '../payments/tables.ts';

/** What the receipt's personal link carries. */
export type PersonalTicket = z.infer<typeof PERSONAL_TICKET>;
export const PERSONAL_TICKET = z.object({ grantId: z.string() });

interface Context {
  db: Database;
  signer: Signer<PersonalTicket>;
  now: () => number;
}

/**
 * The grant behind a receipt's personal link.
 * @throws DomainError ACCESS_LINK_INVALID, ACCESS_SUSPENDED, ACCESS_ENDED
 */
export async function findPersonalGrant(
  { db, signer }: Pick<Context, 'db' | 'signer'>,
  token: string,
): Promise<AccessGrant> {
  const ticket = signer.read(token);
  const grant = ticket
    ? await db
        .selectFrom('access_grant')
        .selectAll()
        .where('id', '=', ticket.grantId)
        .executeTakeFirst()
    : undefined;
  if (!grant) {
    // One signed with an earlier secret cannot be distinguished from a damaged or forged one.
    throw new DomainError(
      'ACCESS_LINK_INVALID',
      'This personal link is incomplete or no longer valid. Copy all of it from your receipt. If it still does not work, open the page you saw after paying: it takes you to your purchase or emails you a new link.',
    );
  }
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

/**
 * How many browsers hold a grant through its personal link: the one that has held it longest, and
 * can open the link again, makes room for the next. The browser that paid keeps it.
 */
export const MAX_BROWSERS_OF_GRANT = 100;

/**
 * Lets one more browser hold the grant behind a receipt's personal link.
 * @returns the id of the link that was bought
 * @throws DomainError as findPersonalGrant
 */
export async function openPersonalLink(
  context: Context,
  { token, claimHash }: { token: string; claimHash: string },
): Promise<string> {
  const grant = await findPersonalGrant(context, token);
  const claimedAt = context.now();
  await transaction(context.db, async (trx) => {
    await trx
      .insertInto('grant_claim')
      .values({ grant_id: grant.id, claim_hash: claimHash, claimed_at: claimedAt })
      .onConflict((conflict) =>
        conflict.columns(['claim_hash', 'grant_id']).doUpdateSet({ claimed_at: claimedAt }),
      )
      .execute();
    await dropOldestBrowsers(trx, grant);
  });
  return grant.link_id;
}

async function dropOldestBrowsers(
  trx: Database,
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

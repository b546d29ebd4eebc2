import { DomainError } from '../domain-error.ts';
import type { Signer } from '../signer.ts';
import type { Database } from '../tables.ts';

/** What the receipt's personal link carries. */
export interface PersonalTicket {
  grantId: string;
}

/** A link signed with a secret of before cannot be told from a damaged or a forged one. */
export const BROKEN_PERSONAL_LINK =
  'This personal link is not complete or no longer valid. Copy it whole from your receipt. If it still does not work, open the page you saw after paying: it leads to your purchase or mails you a new link.';

/**
 * Lets one more browser hold the grant behind a receipt's personal link.
 * @returns the id of the link that was bought
 * @throws DomainError ACCESS_LINK_INVALID
 */
export async function openPersonalLink(
  db: Database,
  signer: Signer<PersonalTicket>,
  token: string,
  claimHash: string,
): Promise<string> {
  const ticket = signer.read(token);
  const grant = ticket
    ? await db
        .selectFrom('access_grant')
        .selectAll()
        .where('id', '=', ticket.grantId)
        .where('state', '=', 'active')
        .executeTakeFirst()
    : undefined;
  if (!grant) {
    throw new DomainError('ACCESS_LINK_INVALID', BROKEN_PERSONAL_LINK);
  }
  await db
    .insertInto('grant_claim')
    .values({ grant_id: grant.id, claim_hash: claimHash })
    .onConflict((conflict) => conflict.columns(['claim_hash', 'grant_id']).doNothing())
    .execute();
  return grant.link_id;
}

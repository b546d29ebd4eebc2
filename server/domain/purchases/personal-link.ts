import { SENTENCES } from '../../../contract/texts.ts';
import { DomainError } from '../domain-error.ts';
import type { Signer } from '../signer.ts';
import type { Database } from '../tables.ts';

/** What the receipt's personal link carries. */
export interface PersonalTicket {
  grantId: string;
}

/**
 * The grant behind a receipt's personal link.
 * @throws DomainError ACCESS_LINK_INVALID, ACCESS_SUSPENDED, ACCESS_ENDED
 */
export async function findPersonalGrant(
  db: Database,
  signer: Signer<PersonalTicket>,
  token: string,
): Promise<{ id: string; link_id: string }> {
  const ticket = signer.read(token);
  const grant = ticket
    ? await db
        .selectFrom('access_grant')
        .selectAll()
        .where('id', '=', ticket.grantId)
        .executeTakeFirst()
    : undefined;
  if (!grant) {
    // One that an earlier secret signed cannot be told from a damaged or a forged one.
    throw new DomainError(
      'ACCESS_LINK_INVALID',
      'This personal link is not complete or no longer valid. Copy it whole from your receipt. If it still does not work, open the page you saw after paying: it leads to your purchase or mails you a new link.',
    );
  }
  const { state, link_id: linkId } = grant;
  if (state === 'suspended') {
    throw new DomainError('ACCESS_SUSPENDED', SENTENCES.accessOnHold, { linkId });
  }
  if (state === 'ended') {
    const why = 'This purchase unlocks nothing any more, for example because it was refunded.';
    throw new DomainError('ACCESS_ENDED', why, { linkId });
  }
  return grant;
}

/**
 * Lets one more browser hold the grant behind a receipt's personal link.
 * @returns the id of the link that was bought
 * @throws DomainError as findPersonalGrant
 */
export async function openPersonalLink(
  db: Database,
  signer: Signer<PersonalTicket>,
  token: string,
  claimHash: string,
): Promise<string> {
  const grant = await findPersonalGrant(db, signer, token);
  await db
    .insertInto('grant_claim')
    .values({ grant_id: grant.id, claim_hash: claimHash })
    .onConflict((conflict) => conflict.columns(['claim_hash', 'grant_id']).doNothing())
    .execute();
  return grant.link_id;
}

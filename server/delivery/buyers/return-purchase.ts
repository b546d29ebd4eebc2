import { z } from 'zod';
import type { ReturnData } from '../../../contract/page-context.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import { giveBack } from '../../money/payments/give-back.ts';
import { type BoughtTwice, findBoughtTwice } from '../../selling/purchases/bought-twice.ts';
import { addBrowser } from './personal-link.ts';

/** What the address carries at which a buyer gives back what they had bought before. */
export type ReturnTicket = z.infer<typeof RETURN_TICKET>;
export const RETURN_TICKET = z.object({
  purchaseId: z.string(),
  /** Whoever has it reads the mailbox that paid for both. */
  mailed: z.boolean(),
});

interface Context extends DatabaseContext {
  signer: Signer<ReturnTicket>;
}

/** @throws DomainError ACCESS_LINK_INVALID */
async function find(
  { db, signer, now }: Context,
  token: string,
): Promise<BoughtTwice & ReturnTicket> {
  const ticket = signer.read(token);
  const bought = ticket && (await findBoughtTwice(db, ticket.purchaseId, now()));
  if (ticket && bought) return { ...bought, ...ticket };
  throw new DomainError(
    'ACCESS_LINK_INVALID',
    'This link is incomplete or no longer valid. Copy all of it from your receipt.',
  );
}

/** @throws DomainError ACCESS_LINK_INVALID */
export async function findReturn(context: Context, token: string): Promise<ReturnData> {
  const { linkId, title, returnedCents, state, earlier } = await find(context, token);
  return { linkId, title, returnedCents, state, firstPaidAt: earlier?.paidAt ?? null };
}

/**
 * Gives a purchase back. The browser in which a mailed link did so holds what was bought first: no
 * other one, however often the link is opened later.
 * @throws DomainError ACCESS_LINK_INVALID, REFUND_REFUSED, RATE_LIMITED
 */
export async function returnPurchase(
  context: Context & Parameters<typeof giveBack>[0],
  { token, claimHash }: { token: string; claimHash: string },
): Promise<void> {
  const { purchaseId, mailed, earlier } = await find(context, token);
  const isMade = await giveBack(context, purchaseId);
  if (!isMade || !mailed || !earlier) return;
  const grant = { id: earlier.grantId, purchase_id: earlier.purchaseId };
  const claim = { claimHash, claimedAt: context.now(), proven: 1 } as const;
  await transaction(context.db, (trx) => addBrowser(trx, grant, claim));
}

import type { DatabaseTransaction } from '../tables.ts';
import { postEntry } from './post-entry.ts';
import { entryOf, type Sale } from './record-sale.ts';

/** Money that a dispute moved at the provider. */
export interface DisputeMovement {
  disputeId: string;
  /** The provider's id of the movement. */
  id: string;
  /** Signed cents: negative when withdrawn, positive when reinstated. */
  amountCents: number;
  /** What the provider took for it, cents; negative when given back. */
  feeCents: number;
}

export const disputeCause = ({ disputeId, id }: DisputeMovement) => `dispute:${disputeId}:${id}`;

/** Books one phase of a dispute: the creator bears its amount, the platform the provider's fee. */
export async function recordDisputeMovement(
  transaction: DatabaseTransaction,
  sale: Sale,
  movement: DisputeMovement,
  now: number,
): Promise<void> {
  const { amountCents, feeCents } = movement;
  await postEntry(
    transaction,
    {
      ...entryOf(sale),
      kind: amountCents < 0 ? 'dispute' : 'dispute_reversal',
      cause: disputeCause(movement),
      lines: [
        { account: 'provider', amountCents: feeCents - amountCents },
        { account: 'creator', ownerId: sale.sellerId, amountCents },
        { account: 'dispute_fee', amountCents: -feeCents },
      ],
    },
    now,
  );
}

import type { DatabaseTransaction } from '../tables.ts';

interface Change {
  ownerId: string;
  mode: 'test' | 'live';
  /** Signed cents. */
  amountCents: number;
}

/** Moves a creator's balance by a line, in the transaction that books the line. */
export async function addToBalance(
  transaction: DatabaseTransaction,
  { ownerId, mode, amountCents }: Change,
  now: number,
): Promise<void> {
  await transaction
    .insertInto('user_balance')
    .values({
      owner_id: ownerId,
      mode,
      balance_cents: amountCents,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'mode']).doUpdateSet((update) => ({
        balance_cents: update('user_balance.balance_cents', '+', amountCents),
        updated_at: now,
      })),
    )
    .execute();
}

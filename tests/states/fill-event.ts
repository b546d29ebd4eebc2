import { randomUUID } from 'node:crypto';
import type { Database } from '../../server/ground/database/tables.ts';

/** One event that a webhook was told of, or could not be. @param at UTC milliseconds */
export async function fillEvent(
  db: Database,
  hookId: string,
  at: number,
  { status = 204, answer = '' }: { status?: number | null; answer?: string } = {},
): Promise<void> {
  const id = randomUUID();
  const sale = { id: randomUUID(), linkId: '0a1b2c3d', title: 'Lecture notes', currency: 'usd' };
  const amounts = { gross: 1000, fee: 80, net: 920, tax: 0, paidAt: new Date(at).toISOString() };
  const data = { sale: { ...sale, ...amounts, test: true }, owner: randomUUID() };
  const body = JSON.stringify({ type: 'sale.created', timestamp: amounts.paidAt, data });
  const isTaken = status !== null && status < 300;
  await db
    .insertInto('hook_message')
    .values({
      id,
      hook_id: hookId,
      type: 'sale.created',
      body,
      state: isTaken ? 'delivered' : 'given_up',
      wanted_at: at,
      due_at: at,
      created_at: at,
    })
    .execute();
  await db
    .insertInto('hook_attempt')
    .values({ id: randomUUID(), message_id: id, began_at: at, ms: 84, status, answer })
    .execute();
}

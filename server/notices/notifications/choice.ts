import { sql } from 'kysely';
import { z } from 'zod';
import { type NotificationChoice, SALE_MAILS } from '../../../contract/notifications.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { createSigner, type Signer } from '../../ground/lib/signer.ts';
import { weekOf } from '../../ground/lib/time.ts';

const SELLER_TICKET = z.object({ ownerId: z.string(), about: z.enum(['sales', 'weeks']) });

type SellerTicket = z.infer<typeof SELLER_TICKET>;

/** Of the addresses that end emails to sellers. */
export type SellerSigner = Signer<SellerTicket>;

export const createSellerSigner = (secret: string): SellerSigner =>
  createSigner(secret, 'emails to sellers', SELLER_TICKET);

/** How an account is told of its sales, chosen or not. */
export async function readNotificationChoice(
  db: Database,
  ownerId: string,
): Promise<NotificationChoice> {
  const chosen = await db
    .selectFrom('notification_choice')
    .where('owner_id', '=', ownerId)
    .select(['sales', 'weekly'])
    .executeTakeFirst();
  return { sales: chosen?.sales ?? 'each', weekly: chosen?.weekly === 1 };
}

/**
 * Keeps how an account wants to be told of its sales; what is left out stays. What waits for one
 * email is told by that one; later sales are told as chosen now. The first week that is summed up is
 * the one in which that is chosen.
 * @param now UTC milliseconds
 * @throws DomainError INVALID_INPUT
 */
export async function chooseNotifications(
  db: Database,
  ownerId: string,
  input: { sales?: string | null | undefined; weekly?: boolean | null | undefined },
  now: number,
): Promise<void> {
  const sales = SALE_MAILS.find((known) => known === input.sales);
  if (input.sales && !sales) {
    throw new DomainError('INVALID_INPUT', `Sales must be one of ${SALE_MAILS.join(', ')}.`);
  }
  const isWeekly = input.weekly ?? null;
  const week = weekOf(now);
  const choice = {
    ...(sales && { sales, gathering_id: null }),
    ...(isWeekly !== null && { weekly: Number(isWeekly) }),
  };
  await db
    .insertInto('notification_choice')
    .values({ owner_id: ownerId, ...choice, ...(isWeekly && { told_week: week }) })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet({
        ...choice,
        owner_id: ownerId,
        // Of who chose it before, a week may wait.
        ...(isWeekly && {
          told_week: sql<number>`case when notification_choice.weekly = 1
            then notification_choice.told_week else excluded.told_week end`,
        }),
      }),
    )
    .execute();
}

/** What is chosen by the address that ends an email. */
const ENDED = { sales: { sales: 'none' }, weeks: { weekly: false } } as const;

/** Ends some emails to an account; of one that is deleted, nothing is kept. */
export async function endSellerMails(
  db: Database,
  { ownerId, about }: SellerTicket,
  now: number,
): Promise<void> {
  const user = await db
    .selectFrom('user')
    .where('id', '=', ownerId)
    .select('id')
    .executeTakeFirst();
  if (user) await chooseNotifications(db, ownerId, ENDED[about], now);
}

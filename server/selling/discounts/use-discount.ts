import { fact, type Said } from '../../../contract/fact.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Discount } from './tables.ts';

/** What comes along when a code is copied from a mail or a chat: marks, dashes, what nobody sees. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}_-]+$/gu;

/** A code as it is kept, of people who type or paste it as they like; '' where there is none. */
export const tidyCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(AROUND, '')
    .toUpperCase();

/**
 * Takes one from what may be guessed of a link's codes.
 * @returns gives it back, for a code that is right
 * @throws RateLimited
 */
export type CountGuess = (linkId: string) => Promise<() => void>;

/**
 * The discount that a code gives on a link now. How often it was used is not looked at.
 * @param countGuess null for a code that has been found before
 * @throws DomainError DISCOUNT_REFUSED with the reason in a sentence, RATE_LIMITED
 */
export async function findDiscount(
  { db, now }: DatabaseContext,
  link: Link,
  code: string,
  countGuess: CountGuess | null,
): Promise<Discount> {
  if (link.least_cents !== null) {
    throw refused('Discount codes do not apply here: you name the price yourself.');
  }
  const giveBack = await countGuess?.(link.id);
  const discount = await discountsOf(db, link.owner_id, link.id)
    .where('code', '=', code)
    .selectAll()
    .executeTakeFirst();
  if (!discount) throw refused('There is no such discount code for this link.');
  giveBack?.();
  const { starts_at, ends_at, minimum_cents } = discount;
  if (starts_at !== null && now() < starts_at) {
    throw refused(
      fact('This discount code can be used from {time}.', { time: { moment: starts_at } }),
    );
  }
  if (ends_at !== null && now() >= ends_at) {
    throw refused(
      fact('This discount code could be used until {time}.', { time: { moment: ends_at } }),
    );
  }
  if (minimum_cents !== null && link.price_cents < minimum_cents) {
    throw refused(
      fact('This discount code is for prices from {price}.', { price: { cents: minimum_cents } }),
    );
  }
  return discount;
}

/** Those for a link that were not ended. */
const discountsOf = (db: Database, ownerId: string, linkId: string) =>
  db
    .selectFrom('discount')
    .where('owner_id', '=', ownerId)
    .where('ended_at', 'is', null)
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('chosen_links', '=', 0),
        exists(
          selectFrom('discount_link')
            .whereRef('discount_id', '=', 'discount.id')
            .where('link_id', '=', linkId)
            .select('link_id'),
        ),
      ]),
    );

const readAnyCode = prepare((db, ownerId: string, linkId: string, now: number) =>
  discountsOf(db, ownerId, linkId)
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .select('id')
    .limit(1),
);

/** Whether there is a code for a link that can be used now or later: what its page asks for. */
export async function takesCodes(
  { db, now }: DatabaseContext,
  { owner, id, least }: { owner: string; id: string; least: number | null },
): Promise<boolean> {
  return least === null && (await readAnyCode(db, owner, id, now())).length > 0;
}

/** What you keep, in integer cents; what is taken off is rounded half up. */
export function lowerPrice(
  listCents: number,
  { percent, amount_cents: amountCents }: Pick<Discount, 'percent' | 'amount_cents'>,
): number {
  const offCents =
    percent === null ? (amountCents ?? 0) : Math.floor((listCents * percent + 50) / 100);
  return Math.max(0, listCents - offCents);
}

export const refused = (reason: Said) => new DomainError('DISCOUNT_REFUSED', reason);

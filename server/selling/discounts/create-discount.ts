import { randomUUID } from 'node:crypto';
import { type Fact, fact } from '../../../contract/fact.ts';
import {
  MAX_DISCOUNT_CODE_LENGTH,
  MAX_DISCOUNT_LINKS,
  MAX_DISCOUNT_USES,
  PROVIDER_MAX_CENTS,
} from '../../../contract/limits.ts';
import { touchSeller } from '../../catalog/sellers/change-page.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { findNamedLinks } from './named-links.ts';
import type { Discount } from './tables.ts';
import { tidyCode } from './use-discount.ts';

export interface NewDiscount {
  ownerId: string;
  code: string;
  /** One of the two is given. */
  percent: number | null;
  amountCents: number | null;
  /** The minimum price it is for. */
  minimumCents: number | null;
  /** UTC milliseconds. */
  startsAt: number | null;
  /** The first moment at which it is over. */
  endsAt: number | null;
  maxUses: number | null;
  maxUsesOfBuyer: number | null;
  /** Ids or addresses of links; null for all of the owner, those to come included. */
  links: string[] | null;
}

/**
 * Makes a discount code, which nothing changes until it ends.
 * @throws DomainError INVALID_INPUT with the reason in a sentence
 */
export async function createDiscount(
  { db, now }: DatabaseContext,
  input: NewDiscount,
): Promise<Discount> {
  const code = tidyCode(input.code);
  const createdAt = now();
  const fault = findDiscountFault({ ...input, code }, createdAt);
  if (fault) throw new DomainError('INVALID_INPUT', fault);
  const { ownerId: owner_id } = input;
  return transaction(db, async (trx) => {
    const links = input.links && (await findNamedLinks(trx, owner_id, input.links));
    const discount = await trx
      .insertInto('discount')
      .values({
        id: randomUUID(),
        owner_id,
        code,
        percent: input.percent,
        amount_cents: input.amountCents,
        minimum_cents: input.minimumCents,
        starts_at: input.startsAt,
        ends_at: input.endsAt,
        max_uses: input.maxUses,
        max_uses_of_buyer: input.maxUsesOfBuyer,
        chosen_links: Number(links !== null),
        created_at: createdAt,
        ended_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!discount) {
      throw new DomainError(
        'INVALID_INPUT',
        fact('You have the code {code} already. End it first.', { code }),
      );
    }
    if (links && links.length > 0) {
      const rows = links.map((link_id) => ({ discount_id: discount.id, link_id }));
      await trx.insertInto('discount_link').values(rows).execute();
    }
    // The pages of the owner's links say whether there are codes for them.
    await touchSeller(trx, owner_id);
    return discount;
  });
}

/**
 * Ends a code: nobody begins a checkout with it any more. Whoever is at one gets what was offered.
 * @throws DomainError NOT_FOUND unless it is the owner's and has not ended
 */
export async function endDiscount(
  { db, now }: DatabaseContext,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<void> {
  await transaction(db, async (trx) => {
    const ended = await trx
      .updateTable('discount')
      .set({ ended_at: now() })
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!ended) throw new DomainError('NOT_FOUND', 'You have no such discount code.');
    await touchSeller(trx, ownerId);
  });
}

const CODE = new RegExp(`^[A-Z0-9][A-Z0-9_-]{2,${MAX_DISCOUNT_CODE_LENGTH - 1}}$`);

const isWhole = (value: number | null, most: number) =>
  value === null || (Number.isInteger(value) && value >= 1 && value <= most);

/** What keeps it from being made; the code is tidy. @param now UTC milliseconds */
export function findDiscountFault(
  input: Omit<NewDiscount, 'ownerId'>,
  now: number,
): Fact | undefined {
  const { code, percent, amountCents, minimumCents, startsAt, endsAt, links } = input;
  if (!CODE.test(code)) {
    return fact(
      'A code has 3 to {limit} letters from A to Z, digits, hyphens and underscores, and begins with a letter or digit.',
      { limit: MAX_DISCOUNT_CODE_LENGTH },
    );
  }
  if ((percent === null) === (amountCents === null)) {
    return fact('Give either a percentage or an amount.');
  }
  if (!isWhole(percent, 100)) return fact('The percentage must be a whole number from 1 to 100.');
  if (!isWhole(amountCents, PROVIDER_MAX_CENTS))
    return fact('Enter a valid amount greater than $0.');
  if (!isWhole(minimumCents, PROVIDER_MAX_CENTS)) {
    return fact('Enter a valid minimum price greater than $0.');
  }
  if (![input.maxUses, input.maxUsesOfBuyer].every((uses) => isWhole(uses, MAX_DISCOUNT_USES))) {
    return fact('The number of uses must be from 1 to {limit}.', { limit: MAX_DISCOUNT_USES });
  }
  if (endsAt !== null && endsAt <= Math.max(now, startsAt ?? 0)) {
    return fact('The code must end in the future, and after it begins.');
  }
  if (links && (links.length === 0 || links.length > MAX_DISCOUNT_LINKS)) {
    return fact('Choose 1 to {limit} links, or all of them.', { limit: MAX_DISCOUNT_LINKS });
  }
  return undefined;
}

import { builder, requireUser } from '../../edge/graphql/builder.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime, readIsoTime } from '../../ground/lib/time.ts';
import { countUses } from './count-uses.ts';
import { createDiscount, endDiscount } from './create-discount.ts';
import { type ListedDiscount, listDiscounts } from './list-discounts.ts';

const Discount = builder.simpleObject('Discount', {
  description: 'A discount code, as its creator sees it.',
  fields: (t) => ({
    id: t.id(),
    code: t.string(),
    percent: t.int({ nullable: true, description: 'Taken off; null where an amount is.' }),
    amount: t.int({ nullable: true, description: 'Cents that are taken off.' }),
    minimum: t.int({ nullable: true, description: 'Cents: the minimum price it is for.' }),
    from: t.field({ type: 'DateTime', nullable: true }),
    until: t.field({ type: 'DateTime', nullable: true, description: 'When it is over.' }),
    uses: t.int({ nullable: true, description: 'By all buyers; null for any number.' }),
    usesOfBuyer: t.int({ nullable: true, description: 'By one buyer; null for any number.' }),
    links: t.stringList({ nullable: true, description: 'Ids; null for all, also those to come.' }),
    paid: t.int({ description: 'How many purchases were paid with it.' }),
    open: t.int({ description: 'How many more are at the checkout, and hold a use.' }),
    state: t.string({
      description:
        "'active', 'early' (it has not begun), 'over' (its time is), 'used' (up) or 'ended' (by you).",
    }),
    createdAt: t.field({ type: 'DateTime' }),
  }),
});

const DiscountList = builder.simpleObject('DiscountList', {
  fields: (t) => ({
    items: t.field({ type: [Discount] }),
    nextToken: t.string({ nullable: true }),
  }),
});

const CreateDiscountInput = builder.inputType('CreateDiscountInput', {
  fields: (t) => ({
    code: t.string({ required: true, description: 'Capitals and small letters are the same.' }),
    percent: t.int({ description: 'From 1 to 100, which is free. Give either this or an amount.' }),
    amount: t.int({ description: 'Cents.' }),
    minimum: t.int({ description: 'Cents: the minimum price it is for.' }),
    from: t.field({ type: 'DateTime' }),
    until: t.field({ type: 'DateTime' }),
    uses: t.int(),
    usesOfBuyer: t.int({ description: 'A buyer is known by browser or account.' }),
    links: t.stringList({ description: 'Ids or addresses; all of yours unless given.' }),
  }),
});

builder.queryField('listDiscounts', (t) =>
  t.field({
    type: DiscountList,
    nullable: true,
    description: "The signed-in creator's discount codes, ended ones included, newest first.",
    args: { nextToken: t.arg.string() },
    resolve: async (_root, { nextToken: token }, context) => {
      const { id } = requireUser(context);
      const { discounts, nextToken } = await listDiscounts(context.db, id, token ?? null);
      return { items: await present(context.db, discounts, context.now()), nextToken };
    },
  }),
);

builder.mutationField('createDiscount', (t) =>
  t.field({
    type: 'ID',
    nullable: true,
    description: 'Makes a discount code for your links, which nothing changes until it ends.',
    args: { input: t.arg({ type: CreateDiscountInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { id: ownerId } = requireUser(context);
      await context.limits.take('writes', ownerId);
      await context.requireSeller(ownerId);
      const { id } = await createDiscount(context, {
        ownerId,
        code: input.code,
        percent: input.percent ?? null,
        amountCents: input.amount ?? null,
        minimumCents: input.minimum ?? null,
        startsAt: readTime(input.from),
        endsAt: readTime(input.until),
        maxUses: input.uses ?? null,
        maxUsesOfBuyer: input.usesOfBuyer ?? null,
        links: input.links ?? null,
      });
      return id;
    },
  }),
);

builder.mutationField('endDiscount', (t) =>
  t.field({
    type: 'ID',
    nullable: true,
    description: 'Ends a discount code. Whoever is at the checkout with it may still pay.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      const { id: ownerId } = requireUser(context);
      await context.limits.take('writes', ownerId);
      await endDiscount(context, { ownerId, id });
      return id;
    },
  }),
);

/** @throws DomainError INVALID_INPUT */
function readTime(text: string | null | undefined): number | null {
  if (text == null) return null;
  const time = readIsoTime(text);
  if (!Number.isNaN(time)) return time;
  throw new DomainError('INVALID_INPUT', 'Times are written as 2026-11-30T00:00:00Z.');
}

async function present(db: Database, discounts: ListedDiscount[], now: number) {
  const ids = discounts.map(({ id }) => id);
  const uses = await countUses(db, ids, now);
  return discounts.map((discount) => {
    const used = uses.get(discount.id) ?? { paid: 0, open: 0 };
    const { id, code, percent, links, starts_at, ends_at } = discount;
    return {
      id,
      code,
      percent,
      links,
      ...used,
      amount: discount.amount_cents,
      minimum: discount.minimum_cents,
      from: starts_at === null ? null : isoTime(starts_at),
      until: ends_at === null ? null : isoTime(ends_at),
      uses: discount.max_uses,
      usesOfBuyer: discount.max_uses_of_buyer,
      state: stateOf(discount, used.paid, now),
      createdAt: isoTime(discount.created_at),
    };
  });
}

function stateOf(discount: ListedDiscount, paid: number, now: number): string {
  if (discount.ended_at !== null) return 'ended';
  if (discount.ends_at !== null && now >= discount.ends_at) return 'over';
  if (discount.max_uses !== null && paid >= discount.max_uses) return 'used';
  return discount.starts_at !== null && now < discount.starts_at ? 'early' : 'active';
}

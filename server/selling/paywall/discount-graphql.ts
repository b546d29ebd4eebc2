import { asFact } from '../../../contract/fact.ts';
import { findLink } from '../../catalog/links/queries.ts';
import { builder, type GraphqlContext } from '../../edge/graphql/builder.ts';
import { addressKey, RateLimited } from '../../edge/http/rate-limits.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readTypedCode, type TypedCode } from '../discounts/typed-code.ts';
import { findDiscount, takesCodes } from '../discounts/use-discount.ts';
import { requireUseLeft } from '../purchases/discount-uses.ts';
import { visitorOf } from '../purchases/queries.ts';
import { quote } from '../purchases/quote.ts';
import { PaywallLink } from './present-link.ts';

const PriceByCode = builder.simpleObject('PriceByCode', {
  description: 'What a discount code does to the price of a link for this viewer.',
  fields: (t) => ({
    price: t.int({ nullable: true, description: 'Cents; null where the code is refused.' }),
    refusal: t.string({ nullable: true, description: 'A sentence for the buyer.' }),
    refusalFact: t.field({ type: 'Fact', nullable: true }),
  }),
});

builder.objectFields(PaywallLink, (t) => ({
  takesCodes: t.boolean({
    description: 'True while its creator has discount codes for it whose time is not over.',
    resolve: async (link, _args, context) =>
      (await link.findSeller()).hasCodes && takesCodes(context, link),
  }),
  discount: t.field({
    type: PriceByCode,
    nullable: true,
    description: 'Null unless a code is given for a link that this viewer would have to pay for.',
    args: { code: t.arg.string() },
    resolve: async (link, { code }, context) => {
      const { limits, viewer } = context;
      const visitor = { address: addressKey(context.address), claimHash: viewer.claimHash };
      const typed = readTypedCode(limits, code, visitor);
      if (!typed || (await link.unlock())) return null;
      try {
        const price = await findPrice(context, link.id, typed);
        return { price, refusal: null, refusalFact: null };
      } catch (error) {
        const isSpoken = error instanceof DomainError && error.code === 'DISCOUNT_REFUSED';
        if (!isSpoken && !(error instanceof RateLimited)) throw error;
        return { price: null, refusal: error.message, refusalFact: asFact(error.said) };
      }
    },
  }),
}));

/** @throws DomainError DISCOUNT_REFUSED, RATE_LIMITED */
async function findPrice(
  context: GraphqlContext,
  id: string,
  { code, countGuess }: TypedCode,
): Promise<number> {
  const { db, viewer, fee, providerMinimumCents, now } = context;
  const link = await findLink(db, id);
  if (!link) throw new Error(`The link ${id} is gone`);
  const discount = await findDiscount(context, link, code, countGuess);
  const { agreedCents } = quote(link, { fee, tax: false, providerMinimumCents }, { discount });
  await requireUseLeft(db, discount, visitorOf(viewer, id), now());
  return agreedCents;
}

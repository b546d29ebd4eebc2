import { type Fact, putIntoEnglish } from '../../../contract/fact.ts';
import { builder, type GraphqlContext } from '../../edge/graphql/builder.ts';
import { batchByRequest } from '../../ground/lib/batch-reads.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { hasUseForCart } from '../checkout/cart.ts';
import {
  countCopiesTaken,
  findEndOfSale,
  findOutOfKeys,
  leftOf,
} from '../purchases/copies-left.ts';
import { buyerOf, visitorOf } from '../purchases/queries.ts';
import { PaywallLink, type PresentedLink } from './present-link.ts';

builder.objectFields(PaywallLink, (t) => ({
  copies: t.int({
    nullable: true,
    description:
      'How many are sold at all. Null for any number, and unless the viewer is the owner.',
    resolve: (link) => (link.mine ? link.limits.copies : null),
  }),
  left: t.int({
    nullable: true,
    description: 'Copies that can still be bought; null for any number.',
    async resolve(link, _args, context) {
      const { id, copies, license_keys: keys } = link.limits;
      if (link.free) return null;
      if (keys === 'list' && (await isOutOfKeys(context, id))) return 0;
      if (copies === null) return null;
      return leftOf(copies, await countTaken(context, id));
    },
  }),
  until: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When its sale ends; null where it does not.',
    resolve: (link) => (link.limits.sold_until === null ? null : isoTime(link.limits.sold_until)),
  }),
  offersCart: t.boolean({
    description:
      'Whether its page offers to put it into a cart: while its seller has other links on sale, or ' +
      'something is in the cart of this browser.',
    resolve: async (link, _args, { db, viewer }) => {
      if (link.mine || (await link.unlock())?.bought.length) return false;
      return hasUseForCart(db, viewer, link.id);
    },
  }),
  hold: t.string({
    nullable: true,
    description:
      'Why what is on sale can be neither bought nor downloaded yet, or ever: a sentence. Null where ' +
      'it can.',
    resolve: async (link, _args, context) => {
      const hold = await findHold(link, context);
      return hold && putIntoEnglish(hold);
    },
  }),
  holdFact: t.field({
    type: 'Fact',
    nullable: true,
    resolve: (link, _args, context) => findHold(link, context),
  }),
}));

async function findHold(link: PresentedLink, context: GraphqlContext): Promise<Fact | null> {
  const hold = await link.findHold();
  // What is free is not sold, and its owner has it.
  if (hold !== null || link.free || link.mine) return hold;
  const { db, viewer, now } = context;
  return findEndOfSale(db, link.limits, visitorOf(viewer, link.id), now());
}

const isOutOfKeys = batchByRequest(({ db, viewer, now }: GraphqlContext, ids) =>
  findOutOfKeys(db, ids, buyerOf(viewer), now()),
);
const countTaken = batchByRequest(({ db, viewer, now }: GraphqlContext, ids) =>
  countCopiesTaken(db, ids, buyerOf(viewer), now()),
);

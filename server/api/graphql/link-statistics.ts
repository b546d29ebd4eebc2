import { findLinkStatistics } from '../../domain/statistics/queries.ts';
import type { LinkStatistics as Kept } from '../../domain/statistics/tables.ts';
import { batchReads } from './batch-reads.ts';
import { builder, type GraphqlContext } from './builder.ts';

export const LinkStatistics = builder.simpleObject('LinkStatistics', {
  description: 'What happened to a link so far.',
  fields: (t) => ({
    views: t.int({
      description:
        "Visits that saw the paywall page; not its owner's, and a visitor's once in half an hour.",
    }),
    checkouts: t.int(),
    sales: t.int(),
    refunds: t.int({ description: 'Refunds made, partial ones too.' }),
  }),
});

const NOTHING = { views: 0, checkouts: 0, sales: 0, refunds: 0 };

/** One for each request, so that the links of a list are read together. */
const readers = new WeakMap<GraphqlContext, (id: string) => Promise<Kept | undefined>>();

export async function readLinkStatistics(context: GraphqlContext, linkId: string) {
  const read = readers.get(context) ?? batchReads((ids) => findLinkStatistics(context.db, ids));
  readers.set(context, read);
  return (await read(linkId)) ?? NOTHING;
}

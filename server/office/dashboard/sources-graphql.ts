import { nameSource } from '../../../contract/sources.ts';
import { sumSources } from '../../books/statistics/sources.ts';
import { builder } from '../../edge/graphql/builder.ts';
import { requireDays, requireReaderOfSales } from './sales-graphql.ts';

const LinkSource = builder.simpleObject('LinkSource', {
  description: 'Where visitors of a creator’s links came from, and what came of them.',
  fields: (t) => ({
    source: t.string({
      description:
        'A host; `utm_source|utm_medium|utm_campaign` of the address that they opened; or one of ' +
        '`direct`, `explore`, `seller`, `site` (another page of this one) and `other`.',
    }),
    name: t.string({ description: 'The same in words.' }),
    views: t.int(),
    checkouts: t.int(),
    sales: t.int(),
    net: t.float({ description: "Cents, the creator's net of these sales, before refunds." }),
  }),
});

builder.queryField('listSources', (t) =>
  t.field({
    type: [LinkSource],
    nullable: true,
    description:
      "Where visitors of the signed-in creator's links came from in the last 1 to 366 days: at " +
      'most 100 sources, those that earned most first.',
    args: {
      days: t.arg.int({ required: true }),
      linkId: t.arg.id({ description: 'Of this link alone.' }),
    },
    resolve: async (_root, { days, linkId }, context) => {
      const ownerId = requireReaderOfSales(context);
      requireDays(days);
      const { db, now } = context;
      const sums = await sumSources(db, { ownerId, days, linkId: linkId ?? null }, now());
      return sums.map(({ net_cents: net, source, ...counts }) => ({
        ...counts,
        source,
        net,
        name: nameSource(source),
      }));
    },
  }),
);

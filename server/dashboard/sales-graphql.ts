import { builder, requireUser } from '../graphql/builder.ts';
import { DomainError } from '../lib/domain-error.ts';
import { DAY_MS, isoTime } from '../lib/time.ts';
import { listSellerDays } from '../statistics/counts.ts';

const MAX_DAYS = 366;

const SalesDay = builder.simpleObject('SalesDay', {
  description: 'What happened to all links of a creator on one UTC day, deleted links included.',
  fields: (t) => ({
    day: t.string({ description: 'As 2026-11-21.' }),
    views: t.int(),
    checkouts: t.int(),
    sales: t.int(),
    refunds: t.int({ description: 'Refunds made on this day, whenever the sale was made.' }),
    net: t.float({ description: "Cents, the creator's net of this day's sales." }),
    returned: t.float({
      description: 'Cents returned on this day by refunds and disputes, less what was restored.',
    }),
  }),
});

builder.queryField('getSalesByDay', (t) =>
  t.field({
    type: [SalesDay],
    nullable: true,
    description:
      "The signed-in creator's last days, 1 to 366 of them: oldest first, today last, quiet days " +
      'included.',
    args: { days: t.arg.int({ required: true }) },
    resolve: async (_root, { days }, context) => {
      const { id } = requireUser(context);
      if (days < 1 || days > MAX_DAYS) {
        throw new DomainError('INVALID_INPUT', `Ask for 1 to ${MAX_DAYS} days.`);
      }
      const rows = await listSellerDays(context.db, id, days, context.now());
      return rows.map(({ day, net_cents, returned_cents, ...counts }) => ({
        ...counts,
        day: isoTime(day * DAY_MS).slice(0, 10),
        net: net_cents,
        returned: returned_cents,
      }));
    },
  }),
);

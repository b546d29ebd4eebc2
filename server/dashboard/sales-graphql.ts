import { SALE_SORTS } from '../../contract/links.ts';
import { readDeliveryProgress } from '../delivery/delivery-progress.ts';
import { listUndelivered } from '../delivery/watch-deliveries.ts';
import { builder, requireUser } from '../graphql/builder.ts';
import { DomainError } from '../lib/domain-error.ts';
import { DAY_MS, isoTime } from '../lib/time.ts';
import { listSales } from '../payments/list-sales.ts';
import { resendReceiptOfSale } from '../payments/resend-receipt.ts';
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

const DeliveryProgress = builder.simpleObject('DeliveryProgress', {
  description: 'How far the files of a sale went out to its buyer.',
  fields: (t) => ({
    state: t.string({
      description:
        "'delivered' (every byte was sent), 'partly', 'handed_over' (to nginx or the storage, which " +
        "do not tell what they sent) or 'unopened'.",
    }),
    percent: t.int({ description: 'Of the bytes.' }),
  }),
});

const Sale = builder.simpleObject('Sale', {
  description: 'One settled purchase, as its seller sees it.',
  fields: (t) => ({
    id: t.id(),
    linkId: t.id(),
    title: t.string({ nullable: true, description: 'As it was when the checkout began.' }),
    key: t.string({ nullable: true, description: 'Of the first file that was sold.' }),
    url: t.string({ nullable: true, description: 'The web address that was sold.' }),
    gross: t.int({ description: 'Cents that were paid.' }),
    net: t.int({ description: "Cents, the creator's part." }),
    paidAt: t.string(),
    state: t.string({
      description: "'active', 'suspended' (disputed) or 'ended' (the payment was returned).",
    }),
    refused: t.boolean({ description: "Whether the buyer's mail server refused the receipt." }),
    mailable: t.boolean({ description: 'Whether the receipt can be sent again.' }),
    delivery: t.field({
      type: DeliveryProgress,
      nullable: true,
      description: 'Null for a web address.',
    }),
  }),
});

const SaleConnection = builder.simpleObject('SaleConnection', {
  fields: (t) => ({
    items: t.field({ type: [Sale] }),
    nextToken: t.string({ nullable: true }),
  }),
});

builder.queryField('listSales', (t) =>
  t.field({
    type: SaleConnection,
    nullable: true,
    description: "The signed-in creator's sales. Who bought is not told.",
    args: {
      nextToken: t.arg.string({ description: 'From a page with the same sort.' }),
      sort: t.arg.string({
        description: `One of ${SALE_SORTS.join(', ')}; the first unless given.`,
      }),
      undelivered: t.arg.boolean({
        description: 'Only those that have not arrived, though the buyer was reminded.',
      }),
    },
    resolve: async (_root, { nextToken: token, sort, undelivered }, context) => {
      const { id } = requireUser(context);
      const lacking = undelivered ? await listUndelivered(context.db, id) : undefined;
      const ids = lacking?.map((sale) => sale.id);
      const { sales, nextToken } = await listSales(context.db, id, { sort, token, ids });
      const progress = await readDeliveryProgress(
        context.db,
        sales.map((sale) => sale.id),
      );
      const items = sales.map(
        ({ grossCents, feeCents, paidAt, hasMailbox, isRefused, ...sale }) => ({
          ...sale,
          refused: isRefused,
          gross: grossCents,
          net: grossCents - feeCents,
          paidAt: isoTime(paidAt),
          mailable: hasMailbox && sale.state !== 'ended',
          delivery: progress.get(sale.id) ?? null,
        }),
      );
      return { items, nextToken };
    },
  }),
);

builder.queryField('countUndeliveredSales', (t) =>
  t.int({
    nullable: true,
    description: "How many of the signed-in creator's sales `listSales(undelivered: true)` lists.",
    resolve: async (_root, _args, context) => {
      const { id } = requireUser(context);
      return (await listUndelivered(context.db, id)).length;
    },
  }),
);

builder.mutationField('resendReceiptOfSale', (t) =>
  t.boolean({
    description: 'Sends the receipt of one of your sales again, to the email address that paid.',
    args: { purchaseId: t.arg.id({ required: true }) },
    resolve: async (_root, { purchaseId }, context) => {
      const { id: sellerId } = requireUser(context);
      await context.limits.take('writes', sellerId);
      await resendReceiptOfSale(context, { sellerId, purchaseId });
      context.receiptWanted();
      return true;
    },
  }),
);

import { putIntoEnglish } from '../../../contract/fact.ts';
import { SALE_SORTS } from '../../../contract/links.ts';
import { listSellerDays } from '../../books/statistics/counts.ts';
import { readDeliveryProgress } from '../../delivery/downloads/delivery-progress.ts';
import { listUndelivered } from '../../delivery/downloads/watch-deliveries.ts';
import {
  builder,
  type GraphqlContext,
  listOf,
  ownMutation,
  unauthorized,
} from '../../edge/graphql/builder.ts';
import { streamChanges } from '../../edge/graphql/stream-changes.ts';
import { requireActingOperator } from '../../ground/acts/operator-of.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { DAY_MS, isoTime } from '../../ground/lib/time.ts';
import { requireScope } from '../../ground/lib/viewer.ts';
import { describeDeliveries } from '../../money/payments/dispute-evidence.ts';
import { readReturns } from '../../money/payments/record-returns.ts';
import { quoteRefund, type Refunder } from '../../money/payments/refund-sale.ts';
import { LinkFace } from '../../selling/paywall/graphql.ts';
import { type ListedSale, listSales } from '../../selling/purchases/list-sales.ts';
import { refundableCents } from '../../selling/purchases/refundable-cents.ts';
import { resendReceiptOfSale } from '../../selling/purchases/resend-receipt.ts';
import type { Dispute, Refund } from '../../selling/purchases/tables.ts';

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext {
    /**
     * Gives a sale back, whole or in part. Cents; all that is left where they are null.
     * @throws DomainError NOT_FOUND, INVALID_INPUT, REFUND_REFUSED
     */
    refundSale(refund: {
      by: Refunder;
      purchaseId: string;
      amountCents: number | null;
      reason: string;
    }): Promise<void>;
  }
}

const MAX_DAYS = 366;

/** @throws DomainError INVALID_INPUT */
export function requireDays(days: number): void {
  if (days >= 1 && days <= MAX_DAYS) return;
  throw new DomainError('INVALID_INPUT', `Ask for 1 to ${MAX_DAYS} days.`);
}

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
      "The signed-in creator's last days, 1 to 366 of them: oldest first, today last, quiet days included.",
    args: { days: t.arg.int({ required: true }) },
    resolve: async (_root, { days }, context) => {
      const id = requireReaderOfSales(context);
      requireDays(days);
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

const SaleRefund = builder.simpleObject('SaleRefund', {
  description: 'Money of a sale that was given back, or was meant to be.',
  fields: (t) => ({
    id: t.id(),
    amount: t.int({ description: 'Cents.' }),
    state: t.string({ description: "'pending', 'succeeded' or 'failed'." }),
    reason: t.string({ nullable: true, description: 'As it was given here.' }),
    by: t.string({
      nullable: true,
      description:
        "'creator', 'operator' or 'buyer', who had bought it before; null for one that was made at the payment provider.",
    }),
    createdAt: t.string(),
  }),
});

const SaleDispute = builder.simpleObject('SaleDispute', {
  description: "A sale that is contested at the buyer's bank.",
  fields: (t) => ({
    amount: t.int({ description: 'Cents.' }),
    state: t.string({ description: "'inquiry' (the bank only asks), 'open', 'lost' or 'over'." }),
    respondBy: t.string({
      nullable: true,
      description: 'Until when the bank takes evidence; null once it takes none.',
    }),
    evidence: t.string({
      description: "Of its delivery: 'none', 'attached' (not sent to the bank yet) or 'sent'.",
    }),
    deliveries: t.stringList({
      description: 'What it says was sent to the buyer, a sentence for each file.',
    }),
    deliveryFacts: t.field({ type: ['Fact'] }),
  }),
});

export const Sale = builder.simpleObject('Sale', {
  description: 'One settled purchase, as its seller sees it.',
  fields: (t) => ({
    id: t.id(),
    linkId: t.id(),
    title: t.string({ nullable: true, description: 'As it was when the checkout began.' }),
    key: t.string({ nullable: true, description: 'Of the first file that was sold.' }),
    url: t.string({ nullable: true, description: 'The web address that was sold.' }),
    face: t.field({ type: LinkFace, description: 'As the link is now.' }),
    gross: t.int({ description: 'Cents that were paid.' }),
    net: t.int({ description: "Cents, the creator's part." }),
    paidAt: t.string(),
    state: t.string({
      description: "'active', 'suspended' (disputed) or 'ended' (the payment was returned).",
    }),
    gift: t.boolean({ description: 'Whether it was given to someone else.' }),
    refused: t.boolean({
      description:
        "Whether the buyer's mail server refused the receipt; of a gift, whether the recipient's refused it.",
    }),
    mailable: t.boolean({ description: 'Whether the receipt can be sent again.' }),
    delivery: t.field({
      type: DeliveryProgress,
      nullable: true,
      description: 'Null for a web address.',
    }),
    paid: t.int({ description: 'Cents that the buyer paid, tax included.' }),
    refunds: t.field({ type: [SaleRefund], description: 'Oldest first.' }),
    refundable: t.int({ description: 'Cents that `refundSale` can still give back.' }),
    dispute: t.field({ type: SaleDispute, nullable: true, description: 'The latest one.' }),
  }),
});

/** With what was delivered of each and what became of its money. */
async function presentSales(db: Database, sales: ListedSale[]) {
  const ids = sales.map((sale) => sale.id);
  const progress = await readDeliveryProgress(db, ids);
  const returns = await readReturns(db, ids);
  const presented = sales.map(
    async ({ grossCents, feeCents, paidAt, hasMailbox, isRefused, isGift, ...sale }) => {
      const { refunds = [], disputes = [], paidCents = 0 } = returns.get(sale.id) ?? {};
      const dispute = disputes.at(-1);
      return {
        ...sale,
        gift: isGift,
        refused: isRefused,
        gross: grossCents,
        net: grossCents - feeCents,
        paidAt: isoTime(paidAt),
        mailable: hasMailbox && sale.state !== 'ended',
        delivery: progress.get(sale.id) ?? null,
        refunds: refunds.map(presentRefund),
        paid: paidCents,
        refundable: refundableCents(paidCents, sale.state, refunds),
        dispute: dispute ? await presentDispute(db, dispute) : null,
      };
    },
  );
  return Promise.all(presented);
}

/** One of a seller's sales; null where there is none. */
export async function readSale(db: Database, sellerId: string, id: string) {
  const { sales } = await listSales(db, sellerId, { ids: [id] });
  return (await presentSales(db, sales))[0] ?? null;
}

function presentRefund({ id, amount_cents, state, reason, requested_by, created_at }: Refund) {
  return {
    id,
    amount: amount_cents,
    reason,
    by: requested_by,
    createdAt: isoTime(created_at),
    state: state === 'requested' ? 'pending' : state,
  };
}

async function presentDispute(db: Database, dispute: Dispute) {
  const { amount_cents, stage, awaits_answer, respond_by, evidence_state } = dispute;
  const deliveryFacts = await describeDeliveries(db, dispute.purchase_id);
  return {
    amount: amount_cents,
    state: stage,
    evidence: evidence_state,
    respondBy: awaits_answer && respond_by !== null ? isoTime(respond_by) : null,
    deliveries: deliveryFacts.map(putIntoEnglish),
    deliveryFacts,
  };
}

const SaleConnection = listOf('SaleConnection', Sale);

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
      const id = requireReaderOfSales(context);
      const lacking = undelivered ? await listUndelivered(context.db, id) : undefined;
      const ids = lacking?.map((sale) => sale.id);
      const { sales, nextToken } = await listSales(context.db, id, { sort, token, ids });
      return { items: await presentSales(context.db, sales), nextToken };
    },
  }),
);

builder.subscriptionField('onCreateSale', (t) =>
  t.field({
    type: Sale,
    nullable: true,
    description: 'Each new sale of the signed-in creator. Who bought is not told.',
    args: { user: t.arg.id({ required: true }) },
    subscribe: (_root, { user }, context) => {
      const requireSeller = ({ viewer }: Pick<GraphqlContext, 'viewer'>) => {
        if (viewer.user?.id !== user) throw unauthorized('Sales are shown only to their seller.');
      };
      requireSeller(context);
      return streamChanges(context.changes, {
        isWanted: ({ kind, ownerId }) =>
          (kind === 'sale-made' || kind === 'session-ended') && ownerId === user,
        async read(change) {
          requireSeller({ viewer: await context.findViewer(change) });
          // Another session's end is nothing to tell; this one's has just ended the stream.
          if (change.kind === 'session-ended') return null;
          return readSale(context.db, user, change.id);
        },
      });
    },
    resolve: (sale) => sale,
  }),
);

builder.queryField('countUndeliveredSales', (t) =>
  t.int({
    nullable: true,
    description: "How many of the signed-in creator's sales `listSales(undelivered: true)` lists.",
    resolve: async (_root, _args, context) => {
      const id = requireReaderOfSales(context);
      return (await listUndelivered(context.db, id)).length;
    },
  }),
);

ownMutation('resendReceiptOfSale', {
  description:
    'Sends the receipt of one of your sales again, to the email address that paid, and a gift to its recipient too.',
  args: builder.args((t) => ({ purchaseId: t.id({ required: true }) })),
  run: (context, { id: sellerId }, { purchaseId }) =>
    resendReceiptOfSale(context, { sellerId, purchaseId }),
});

const AS_OPERATOR = 'For operators, who are signed in: of any sale.';

const RefundQuote = builder.simpleObject('RefundQuote', {
  description: 'What a refund would cost whom, in cents.',
  fields: (t) => ({
    amount: t.int({ description: 'What the buyer gets back.' }),
    creator: t.int({ description: 'What is taken from the balance of the creator for it.' }),
    fee: t.int({ description: 'What the platform returns of its fee.' }),
    tax: t.int({ description: 'What is returned of the tax.' }),
    processing: t.int({
      nullable: true,
      description: 'What the payment provider does not return; null while it is not known.',
    }),
    processingBy: t.string({ description: "Who bears that: 'platform' or 'creator'." }),
    balance: t.float({ description: 'Of the creator, afterwards.' }),
    whole: t.boolean({ description: "Whether nothing is left then, and the buyer's access ends." }),
  }),
});

builder.queryField('quoteRefund', (t) =>
  t.field({
    type: RefundQuote,
    nullable: true,
    description: 'What a refund of one of your sales would cost whom.',
    args: {
      purchaseId: t.arg.id({ required: true }),
      amount: t.arg.int({ description: 'Cents; all that is left unless given.' }),
      asOperator: t.arg.boolean({ description: AS_OPERATOR }),
    },
    resolve: async (_root, { purchaseId, amount, asOperator }, context) => {
      const { db, refundCost } = context;
      const by = await requireRefunder(context, asOperator);
      const asked = { by, purchaseId, amountCents: amount ?? null };
      const quote = await quoteRefund({ db, refundCost }, asked);
      return {
        amount: quote.amountCents,
        creator: quote.creatorCents,
        fee: quote.feeCents,
        tax: quote.taxCents,
        processing: quote.costCents,
        processingBy: refundCost,
        balance: quote.balanceCents,
        whole: quote.isWhole,
      };
    },
  }),
);

builder.mutationField('refundSale', (t) =>
  t.field({
    type: Sale,
    nullable: true,
    description:
      'Gives one of your sales back to its buyer, whole or in part. With the service key, any sale.',
    args: {
      purchaseId: t.arg.id({ required: true }),
      amount: t.arg.int({ description: 'Cents; all that is left unless given.' }),
      reason: t.arg.string({
        required: true,
        description: 'Kept with the payment provider and shown in the list of sales.',
      }),
      asOperator: t.arg.boolean({ description: AS_OPERATOR }),
    },
    resolve: async (_root, { purchaseId, amount, reason, asOperator }, context) => {
      const by = await requireRefunder(context, asOperator);
      await context.refundSale({ by, purchaseId, amountCents: amount ?? null, reason });
      const { seller_id: sellerId } = await context.db
        .selectFrom('purchase')
        .where('id', '=', purchaseId)
        .select('seller_id')
        .executeTakeFirstOrThrow();
      return readSale(context.db, sellerId, purchaseId);
    },
  }),
);

/** Whose sales these are. @throws DomainError UNAUTHORIZED, SCOPE_MISSING */
export function requireReaderOfSales({ viewer }: GraphqlContext): string {
  return requireScope(viewer, 'read', 'Unauthorized: Sign in to see your sales.');
}

/**
 * A seller refunds their own sales, and operators any.
 * @throws DomainError UNAUTHORIZED, SCOPE_MISSING, RATE_LIMITED; NOT_FOUND and SESSION_NOT_FRESH as
 * an operator
 */
async function requireRefunder(
  context: GraphqlContext,
  asOperator: boolean | null | undefined,
): Promise<Refunder> {
  if (asOperator || context.viewer.authority === 'operator') {
    return { kind: 'operator', actor: await requireActingOperator(context) };
  }
  const userId = requireScope(context.viewer, 'refund', 'Unauthorized: Sign in to refund sales.');
  await context.limits.take('writes', userId);
  return { kind: 'creator', userId };
}

import { putIntoEnglish } from '../../../contract/fact.ts';
import { listUndelivered } from '../../delivery/downloads/watch-deliveries.ts';
import { BY_ID, builder, listOf } from '../../edge/graphql/builder.ts';
import { requireOperator } from '../../ground/acts/operator-of.ts';
import type { Database } from '../../ground/database/tables.ts';
import { readToken, toPage } from '../../ground/lib/newest-first.ts';
import { operatorMutation } from '../../people/operators/graphql.ts';
import { resendReceiptByOperator } from '../../selling/purchases/resend-receipt.ts';
import type { Purchase } from '../../selling/purchases/tables.ts';
import { readSale, Sale } from '../dashboard/sales-graphql.ts';
import { findPurchases, tellStory } from './find-purchases.ts';

const Happening = builder.simpleObject('Happening', {
  description: 'Something that happened to a purchase.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime' }),
    words: t.string(),
    fact: t.field({ type: 'Fact' }),
  }),
});

const FoundPurchase = builder.simpleObject('FoundPurchase', {
  description: 'A purchase, as operators see it.',
  fields: (t) => ({
    id: t.id({ description: 'The order number.' }),
    linkId: t.id(),
    title: t.string({ nullable: true, description: 'As it was when the checkout began.' }),
    price: t.int({ description: 'Cents.' }),
    buyerEmail: t.string({ nullable: true, description: 'Null until it is paid.' }),
    sellerEmail: t.string({ nullable: true, description: 'Null for an account that was deleted.' }),
    state: t.string({ description: "'open', 'processing', 'settled', 'failed' or 'expired'." }),
    createdAt: t.field({ type: 'DateTime' }),
    paidAt: t.field({ type: 'DateTime', nullable: true }),
    refused: t.boolean({ description: "Whether the buyer's mail server refused the receipt." }),
  }),
});

const UndeliveredPurchases = listOf('UndeliveredPurchases', FoundPurchase);

const FoundPurchases = builder.simpleObject('FoundPurchases', {
  fields: (t) => ({
    items: t.field({ type: [FoundPurchase], description: 'Newest first, at most 50.' }),
    story: t.field({
      type: [Happening],
      description: 'All that happened to it, oldest first; empty unless exactly one was found.',
    }),
    sale: t.field({
      type: Sale,
      nullable: true,
      description: 'The same as its seller sees it; null unless exactly one was found, and paid.',
    }),
  }),
});

builder.queryField('findPurchases', (t) =>
  t.field({
    type: FoundPurchases,
    nullable: true,
    description:
      "For operators: the purchases of an email address, or the one with an order number or the payment provider's id of its payment. Nothing is known of cards.",
    args: { search: t.arg.string({ required: true }) },
    resolve: async (_root, { search }, context) => {
      await requireOperator(context);
      const { db } = context;
      const found = await findPurchases(db, search);
      const items = await presentPurchases(db, found);
      const [only] = found;
      if (!only || found.length > 1) return { items, story: [], sale: null };
      const story = await tellStory(db, only);
      return {
        items,
        story: story.map((happening) => ({ ...happening, words: putIntoEnglish(happening.fact) })),
        sale: await readSale(db, only.seller_id, only.id),
      };
    },
  }),
);

builder.queryField('listUndeliveredPurchases', (t) =>
  t.field({
    type: UndeliveredPurchases,
    nullable: true,
    description:
      'For operators: purchases that did not arrive, though their buyers were reminded, those found last first, 50 at a time, of at most 1000.',
    args: { nextToken: t.arg.string() },
    resolve: async (_root, { nextToken: token = null }, context) => {
      await requireOperator(context);
      const { db } = context;
      const { ids, nextToken } = await pageOfUndelivered(db, token);
      if (ids.length === 0) return { items: [], nextToken };
      const found = await db.selectFrom('purchase').selectAll().where('id', 'in', ids).execute();
      found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
      return { items: await presentPurchases(db, found), nextToken };
    },
  }),
);

/** @throws DomainError INVALID_INPUT for a token of another list */
async function pageOfUndelivered(db: Database, token: string | null) {
  const after = token === null ? null : readToken('undelivered', token);
  const rest = (await listUndelivered(db)).filter(
    ({ undeliveredAt: time, id }) =>
      after === null || time < after.time || (time === after.time && id < after.id),
  );
  const place = ({ undeliveredAt: time, id }: (typeof rest)[number]) => ({ time, id });
  const { page, nextToken } = toPage('undelivered', rest, place);
  return { ids: page.map(({ id }) => id), nextToken };
}

async function presentPurchases(db: Database, found: Purchase[]) {
  const ids = [...new Set(found.map(({ seller_id }) => seller_id))];
  const sellers =
    ids.length === 0
      ? []
      : await db.selectFrom('user').where('id', 'in', ids).select(['id', 'email']).execute();
  return found.map(({ id, title, state, ...purchase }) => ({
    id,
    title,
    state,
    linkId: purchase.link_id,
    price: purchase.price_cents,
    buyerEmail: purchase.buyer_email,
    sellerEmail: sellers.find((seller) => seller.id === purchase.seller_id)?.email ?? null,
    createdAt: purchase.created_at,
    paidAt: purchase.settled_at,
    refused: purchase.receipt_refused_at !== null,
  }));
}

operatorMutation('resendReceiptOfPurchase', {
  description: 'sends the receipt of a purchase again, to the email address that paid.',
  args: BY_ID,
  run: (context, actor, { id }) => resendReceiptByOperator(context, actor, id),
});

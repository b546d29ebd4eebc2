import { sql } from 'kysely';
import { findBalance } from '../../books/ledger/balance.ts';
import { listSellerDays } from '../../books/statistics/counts.ts';
import type { Database } from '../../ground/database/tables.ts';
import { beginOfWeek } from '../../ground/lib/time.ts';
import type { Gathers } from './gather.ts';

/** Links, and discount codes, that an email of many sales names. */
const MAX_NAMED = 20;
/** Links that a summary of a week names. */
const MAX_BEST = 5;

export const soldMails = {
  /** Tells a seller of a sale, and nothing of its buyer, unless they want no such emails any more. */
  async 'send-sale'({ db, links }, { purchaseId }) {
    const sale = await db
      .selectFrom('purchase')
      .leftJoin('purchase_discount', 'purchase_discount.purchase_id', 'purchase.id')
      .leftJoin('discount', 'discount.id', 'purchase_discount.discount_id')
      .where('purchase.id', '=', purchaseId)
      .select(['seller_id', 'link_id', 'title', 'price_cents', 'fee_cents', 'discount.code'])
      .executeTakeFirst();
    const seller = sale && (await findReader(db, sale.seller_id));
    if (!seller || seller.sales === 'none') return [];
    const facts = {
      firstName: seller.firstName,
      language: seller.language,
      linkId: sale.link_id,
      title: sale.title,
      code: sale.code,
      grossCents: sale.price_cents,
      feeCents: sale.fee_cents,
      stopUrl: links.stop(sale.seller_id, 'sales'),
    };
    return [{ to: seller.email, mail: 'sale', facts }];
  },

  /** Tells a seller of the sales that were gathered, unless they want no such emails any more. */
  async 'send-sales'({ db, links }, { ownerId, gatheringId, isDay }) {
    // Waits for sales that are left to this email; each later one is left to the next.
    await db
      .updateTable('notification_choice')
      .set({ gathering_id: null })
      .where('owner_id', '=', ownerId)
      .where('gathering_id', '=', gatheringId)
      .execute();
    const sold = await sumByLink(db, gatheringId);
    const seller = await findReader(db, ownerId);
    const forget = () =>
      db.deleteFrom('gathered_sale').where('gathering_id', '=', gatheringId).execute();
    if (!seller || seller.sales === 'none' || sold.length === 0) {
      await forget();
      return [];
    }
    const facts = {
      firstName: seller.firstName,
      language: seller.language,
      isDay,
      sales: sum(sold, ({ sales }) => sales),
      grossCents: sum(sold, ({ grossCents }) => grossCents),
      feeCents: sum(sold, ({ feeCents }) => feeCents),
      links: sold.slice(0, MAX_NAMED),
      furtherLinks: Math.max(0, sold.length - MAX_NAMED),
      codes: await countCodes(db, gatheringId),
      stopUrl: links.stop(ownerId, 'sales'),
    };
    return [{ to: seller.email, mail: 'sales', facts, accepted: forget }];
  },

  /** Tells a seller what a week brought, if it brought anything and they still want to know. */
  async 'send-week'({ db, links, mode, holdMs, now }, { ownerId, week }) {
    const seller = await findReader(db, ownerId);
    if (seller?.weekly !== 1) return [];
    const from = beginOfWeek(week);
    const end = beginOfWeek(week + 1);
    const days = await listSellerDays(db, ownerId, 14, end - 1);
    const before = sumDays(days.slice(0, 7));
    const { sales, netCents, refunds, returnedCents } = sumDays(days.slice(7));
    if (sales === 0 && refunds === 0 && returnedCents === 0) return [];
    const balance =
      holdMs === null ? null : await findBalance(db, { ownerId, mode, holdMs }, now());
    const facts = {
      firstName: seller.firstName,
      language: seller.language,
      from,
      sales,
      netCents,
      refunds,
      returnedCents,
      before: { sales: before.sales, netCents: before.netCents },
      links: await findBestLinks(db, ownerId, { from, end }),
      availableCents: balance === null ? null : (balance?.availableCents ?? 0),
      stopUrl: links.stop(ownerId, 'weeks'),
    };
    return [{ to: seller.email, mail: 'week', facts }];
  },
} satisfies Partial<Gathers>;

/** Whom a seller's news goes to; undefined where the account is deleted, suspended or wants none. */
function findReader(db: Database, ownerId: string) {
  return db
    .selectFrom('user')
    .leftJoin('suspension', 'suspension.user_id', 'user.id')
    .leftJoin('notification_choice', 'notification_choice.owner_id', 'user.id')
    .where('user.id', '=', ownerId)
    .where('suspension.user_id', 'is', null)
    .select(['user.email', 'user.firstName', 'user.language'])
    .select(({ fn, val }) => fn.coalesce('notification_choice.sales', val('each')).as('sales'))
    .select('notification_choice.weekly')
    .executeTakeFirst();
}

/** What was sold of each link, those that brought the most first. */
async function sumByLink(db: Database, gatheringId: string) {
  const sumOf = (column: string) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`;
  const rows = await db
    .selectFrom('gathered_sale')
    .innerJoin('purchase', 'purchase.id', 'gathered_sale.purchase_id')
    .where('gathering_id', '=', gatheringId)
    .groupBy('link_id')
    .orderBy(sumOf('price_cents'), 'desc')
    .orderBy('link_id')
    .select(({ fn }) => ['link_id as linkId', fn.max('title').as('title')])
    .select(({ fn }) => fn.countAll<number | string>().as('sales'))
    .select([sumOf('price_cents').as('grossCents'), sumOf('fee_cents').as('feeCents')])
    .execute();
  return rows.map(({ sales, grossCents, feeCents, ...link }) => ({
    ...link,
    sales: Number(sales),
    grossCents: Number(grossCents),
    feeCents: Number(feeCents),
  }));
}

/** How many of the sales were made by which discount code, the most used first. */
async function countCodes(db: Database, gatheringId: string) {
  const rows = await db
    .selectFrom('gathered_sale')
    .innerJoin('purchase_discount', 'purchase_discount.purchase_id', 'gathered_sale.purchase_id')
    .innerJoin('discount', 'discount.id', 'purchase_discount.discount_id')
    .where('gathering_id', '=', gatheringId)
    .groupBy('discount.code')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('discount.code')
    .limit(MAX_NAMED)
    .select(({ fn }) => ['discount.code', fn.countAll<number | string>().as('sales')])
    .execute();
  return rows.map(({ code, sales }) => ({ code, sales: Number(sales) }));
}

const sum = <Row>(rows: Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

const sumDays = (days: Awaited<ReturnType<typeof listSellerDays>>) => ({
  sales: sum(days, (day) => day.sales),
  netCents: sum(days, (day) => day.net_cents),
  refunds: sum(days, (day) => day.refunds),
  returnedCents: sum(days, (day) => day.returned_cents),
});

/** Those that brought the most in a time, with what they brought. */
async function findBestLinks(
  db: Database,
  ownerId: string,
  { from, end }: { from: number; end: number },
) {
  const net = sql<number | string>`sum(price_cents - fee_cents)`;
  const rows = await db
    .selectFrom('purchase')
    .where('seller_id', '=', ownerId)
    .where('settled_at', '>=', from)
    .where('settled_at', '<', end)
    .groupBy('link_id')
    .orderBy(net, 'desc')
    .orderBy('link_id')
    .limit(MAX_BEST)
    .select(({ fn }) => ['link_id as linkId', fn.max('title').as('title')])
    .select(({ fn }) => fn.countAll<number | string>().as('sales'))
    .select(net.as('net'))
    .execute();
  return rows.map(({ sales, net: netCents, ...link }) => ({
    ...link,
    sales: Number(sales),
    netCents: Number(netCents),
  }));
}

import { findBalance } from '../../server/books/ledger/balance.ts';
import { findLinkStatistics, listSellerDays } from '../../server/books/statistics/counts.ts';
import { findLink } from '../../server/catalog/links/queries.ts';
import { listLinks } from '../../server/catalog/listing/list-links.ts';
import { listSitemapParts, readPublicLinks } from '../../server/catalog/listing/list-public.ts';
import { listPurchases } from '../../server/delivery/buyers/list-purchases.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import { GUEST, type Viewer } from '../../server/ground/lib/viewer.ts';
import { readSales } from '../../server/office/dashboard/sales-csv.ts';
import { listTakeDowns } from '../../server/office/moderation/list-take-downs.ts';
import { unlockedFiles } from '../../server/selling/access/file-access.ts';
import { listSales } from '../../server/selling/purchases/list-sales.ts';
import { refuseMixedModes } from '../../server/selling/purchases/modes.ts';
import { findLastCheckout } from '../../server/selling/purchases/queries.ts';
import { linkIdOf, SHOP_CLOCK } from './seed-shop.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LINK = linkIdOf(7);
const BUYER: Viewer = { ...GUEST, authority: 'none', claimHash: 'claim7' };
const owner = (id: string) => ({ column: 'owner_id', operator: '=', value: id }) as const;

/** What people and robots wait for in a seeded shop. */
export const SHOP_READS: Record<string, (db: Database) => Promise<unknown>> = {
  'A link by its id': (db) => findLink(db, LINK),
  'A list of 50 links': (db) => listLinks(db, [], { limit: 50 }),
  'The cheapest 50 links': (db) => listLinks(db, [], { limit: 50, sort: 'cheapest' }),
  "A seller's links": (db) => listLinks(db, [owner('ada')], {}, { withUnlisted: true }),
  "A seller's balance": (db) =>
    findBalance(db, { ownerId: 'ada', mode: 'test', holdMs: 7 * DAY_MS }, SHOP_CLOCK),
  "A seller's days and counts": async (db) => {
    await listSellerDays(db, 'ada', 90, SHOP_CLOCK);
    await findLinkStatistics(db, [linkIdOf(1), linkIdOf(2)]);
  },
  "A seller's sales": (db) => listSales(db, 'ada'),
  'A piece of sales.csv': (db) => readSales(db, 'ada', SHOP_CLOCK).next(),
  "A seller's take-downs": (db) => listTakeDowns(db, { ownerId: 'ada', token: null }),
  "A buyer's last checkout of a link": (db) => findLastCheckout(db, BUYER, LINK),
  "A buyer's files": (db) => unlockedFiles(db, BUYER, { after: null, limit: 100 }),
  "A buyer's purchases": (db) => listPurchases({ db, viewer: BUYER }, null),
  'The sitemap: its parts, and a piece of one': async (db) => {
    const [first = ''] = await listSitemapParts(db);
    await readPublicLinks(db, first).next();
  },
  'The start: purchases of the other mode': (db) => refuseMixedModes(db, 'test'),
};

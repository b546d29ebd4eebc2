import { findLinkStatistics } from '../../books/statistics/counts.ts';
import { faceOf } from '../../catalog/links/cover.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { builder } from '../../edge/graphql/builder.ts';
import { requireOperator } from '../../ground/acts/operator-of.ts';
import type { Database } from '../../ground/database/tables.ts';
import { LinkFace } from '../../selling/paywall/graphql.ts';
import { findLinks } from './find-links.ts';

const FoundLink = builder.simpleObject('FoundLink', {
  description: 'A link, as operators see it.',
  fields: (t) => ({
    id: t.id(),
    title: t.string({ nullable: true }),
    key: t.string({ nullable: true, description: 'Of its first file.' }),
    url: t.string({ nullable: true }),
    face: t.field({ type: LinkFace }),
    sellerEmail: t.string({ nullable: true, description: 'Null for an account that was deleted.' }),
    price: t.int({ description: 'Cents.' }),
    state: t.string({
      description:
        "'live', 'paused', 'taken-down', 'deleted', or 'suspended' together with its seller.",
    }),
    unlisted: t.boolean(),
    sales: t.int(),
    createdAt: t.field({ type: 'DateTime' }),
    takenDownAt: t.field({ type: 'DateTime', nullable: true }),
    takenDownFor: t.string({
      nullable: true,
      description: 'The reason, as contract/moderation.ts names it.',
    }),
    takenDownWords: t.string({ nullable: true, description: 'As its seller was told.' }),
  }),
});

const FoundLinks = builder.simpleObject('FoundLinks', {
  fields: (t) => ({
    items: t.field({ type: [FoundLink] }),
    nextToken: t.string({
      nullable: true,
      description: 'Present as long as there are links that were not examined.',
    }),
  }),
});

builder.queryField('findLinks', (t) =>
  t.field({
    type: FoundLinks,
    nullable: true,
    description:
      'For operators: links of all sellers, newest first, 50 at a time, unlisted ones included; one whose id or address is searched for, in any state.',
    args: {
      search: t.arg.string({
        description:
          "An id, an address of a page, a seller's email address, or words of the title and description.",
      }),
      takenDown: t.arg.boolean({
        description: 'Those that are taken down, in place of those on sale or paused.',
      }),
      nextToken: t.arg.string(),
    },
    resolve: async (_root, { search, takenDown, nextToken: token = null }, context) => {
      await requireOperator(context);
      const { db } = context;
      const asked = { search: search ?? '', isTakenDown: takenDown ?? false, token };
      const { links, nextToken } = await findLinks(db, asked);
      return { items: await presentLinks(db, links), nextToken };
    },
  }),
);

/** Each kind of what is known beside the links is read by one query. */
async function presentLinks(db: Database, links: Link[]) {
  if (links.length === 0) return [];
  const ids = links.map(({ id }) => id);
  const sellers = await db
    .selectFrom('user')
    .leftJoin('suspension', 'suspension.user_id', 'user.id')
    .where('user.id', 'in', [...new Set(links.map(({ owner_id }) => owner_id))])
    .select(['user.id', 'user.email', 'suspension.suspended_at'])
    .execute();
  const takeDowns = await db
    .selectFrom('take_down')
    .where('link_id', 'in', ids)
    .where('undone_at', 'is', null)
    .select(['link_id', 'reason', 'words'])
    .execute();
  const statistics = await findLinkStatistics(db, ids);
  return links.map((link) => {
    const { id, title, key, url, taken_down_at: takenDownAt } = link;
    const seller = sellers.find((one) => one.id === link.owner_id);
    const takeDown = takeDowns.find(({ link_id }) => link_id === id);
    return {
      id,
      title,
      key,
      url,
      face: faceOf(link),
      sellerEmail: seller?.email ?? null,
      price: link.price_cents,
      state: stateOf(link, seller?.suspended_at ?? null),
      unlisted: link.unlisted === 1,
      sales: statistics.get(id)?.sales ?? 0,
      createdAt: link.created_at,
      takenDownAt,
      takenDownFor: takeDown?.reason ?? null,
      takenDownWords: takeDown?.words ?? null,
    };
  });
}

/** @param suspendedAt when its seller was: that took off sale what was on sale at that moment */
function stateOf(link: Link, suspendedAt: number | null): string {
  if (link.taken_down_at !== null) return 'taken-down';
  if (link.deleted_at !== null) return link.deleted_at === suspendedAt ? 'suspended' : 'deleted';
  return link.paused === 1 ? 'paused' : 'live';
}

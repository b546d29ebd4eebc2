import { MAX_ABOUT_LENGTH, MAX_PINNED_LINKS, MAX_SELLER_LINKS } from '../../../contract/limits.ts';
import { addressOfCover } from '../../catalog/links/cover.ts';
import { listLinks } from '../../catalog/listing/list-links.ts';
import { changePage } from '../../catalog/sellers/change-page.ts';
import { pinLink } from '../../catalog/sellers/pin-link.ts';
import { findSellerPage, readPinnedLinks, type SellerPage } from '../../catalog/sellers/queries.ts';
import { builder, requireReader, requireUser } from '../../edge/graphql/builder.ts';
import { PaywallCover } from './graphql.ts';
import { LinkConnection } from './list-graphql.ts';
import { PaywallLink, PresentedLink } from './present-link.ts';
import { PLACED, selectColumns } from './select-columns.ts';

const Seller = builder.objectRef<SellerPage>('Seller').implement({
  description: 'A seller with a page of their own, /s/{handle}.',
  fields: (t) => ({
    handle: t.exposeString('handle'),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name they sell under; null when there is none.',
    }),
    about: t.exposeString('about', {
      nullable: true,
      description: 'Plain text; line breaks are kept.',
    }),
    links: t.field({
      type: ['URL'],
      description: 'Web addresses that the page leads to.',
      resolve: ({ links }) => links,
    }),
    picture: t.field({
      type: PaywallCover,
      nullable: true,
      resolve: ({ picture }) => picture && { ...picture, url: addressOfCover(picture.blob) },
    }),
    mine: t.boolean({
      description: 'True when the viewer is the seller.',
      resolve: ({ ownerId }, _args, { viewer }) => viewer.creatorId === ownerId,
    }),
    pinned: t.field({
      type: [PaywallLink],
      description: `The links that come first on the page, at most ${MAX_PINNED_LINKS}.`,
      resolve: async ({ ownerId }, _args, context) => {
        const links = await readPinnedLinks(context.db, ownerId);
        return links.map((link) => new PresentedLink(context, context.viewer, link));
      },
    }),
    listLinks: t.field({
      type: LinkConnection,
      description: 'The other listed links of the seller, newest first, 50 at a time.',
      args: { nextToken: t.arg.string() },
      resolve: async ({ ownerId }, { nextToken: after }, context, info) => {
        const { db, viewer } = context;
        const conditions = [{ column: 'owner_id', operator: '=', value: ownerId }] as const;
        const columns = selectColumns(info, PLACED, ['items']);
        const [pinned, { links, nextToken }] = await Promise.all([
          readPinnedLinks(db, ownerId),
          listLinks(db, [...conditions], { nextToken: after }, { columns }),
        ]);
        const others = links.filter(({ id }) => !pinned.some((link) => link.id === id));
        return {
          items: others.map((link) => new PresentedLink(context, viewer, link)),
          nextToken,
        };
      },
    }),
  }),
});

builder.queryField('getSeller', (t) =>
  t.field({
    type: Seller,
    nullable: true,
    description:
      'The seller whose page is, or was within a year, at /s/{handle}. Null when there is none.',
    args: { handle: t.arg.string({ required: true }) },
    resolve: (_root, { handle }, context) => {
      requireReader(context);
      return findSellerPage(context.db, handle);
    },
  }),
);

builder.mutationField('setSellerPage', (t) =>
  t.string({
    nullable: true,
    description:
      'Gives the signed-in creator a page at /s/{handle}, or changes it; without a handle it is taken away. Returns the handle as it is kept.',
    args: {
      handle: t.arg.string(),
      about: t.arg.string({ description: `At most ${MAX_ABOUT_LENGTH} characters.` }),
      links: t.arg.stringList({
        required: true,
        description: `At most ${MAX_SELLER_LINKS} https addresses.`,
      }),
    },
    resolve: async (_root, page, context) => {
      const { id: ownerId } = requireUser(context);
      await context.limits.take('writes', ownerId);
      await context.requireSeller(ownerId);
      return changePage(context, { ownerId, ...page });
    },
  }),
);

builder.mutationField('pinLink', (t) =>
  t.boolean({
    description:
      'Puts a link of the signed-in creator first on their page, or back among the others. Returns whether it is pinned.',
    args: { id: t.arg.id({ required: true }), pinned: t.arg.boolean({ required: true }) },
    resolve: async (_root, { id, pinned }, context) => {
      const { id: ownerId } = requireUser(context);
      await context.limits.take('writes', ownerId);
      await pinLink(context, { ownerId, id, pinned });
      return pinned;
    },
  }),
);

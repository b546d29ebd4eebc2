import { listDeletedLinks } from '../../domain/links/list-deleted-links.ts';
import { presentLink } from '../present-link.ts';
import { unauthorized } from './authorize.ts';
import { builder } from './builder.ts';
import { LinkConnection } from './paywall-link.ts';

builder.queryField('listDeletedPaywallLinks', (t) =>
  t.field({
    type: LinkConnection,
    nullable: true,
    description:
      "The creator's own deleted links, the last one deleted first: what they sold stays in the " +
      'books, and their buyers keep it.',
    args: { limit: t.arg.int(), nextToken: t.arg.string() },
    resolve: async (_root, page, context) => {
      const { creatorId } = context.viewer;
      if (creatorId === null) throw unauthorized('Sign in to see your deleted links.');
      const { links, nextToken } = await listDeletedLinks(context.db, creatorId, page);
      return {
        items: links.map((link) => presentLink(context, context.viewer, link)),
        nextToken,
      };
    },
  }),
);

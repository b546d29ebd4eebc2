import { restoreLink } from '../../catalog/links/restore-link.ts';
import type { Version } from '../../catalog/links/versions.ts';
import { builder, unauthorized } from '../../edge/graphql/builder.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { countBuyers } from '../purchases/queries.ts';
import { PaywallFile, showFile } from './content-graphql.ts';
import { PaywallLink, PresentedLink } from './present-link.ts';
import { requireAuthor } from './require-author.ts';

const PaywallVersion = builder.simpleObject('PaywallVersion', {
  description: 'What a link sells or sold; it never changes.',
  fields: (t) => ({
    number: t.int(),
    url: t.field({ type: 'URL', nullable: true, description: 'Null for files.' }),
    files: t.field({ type: [PaywallFile] }),
    createdAt: t.field({ type: 'DateTime' }),
    whole: t.boolean({
      description: 'False once one of its files was deleted: it cannot be put on sale again.',
    }),
    buyers: t.int({
      nullable: true,
      description: 'Purchases of it that were not returned. Null unless the viewer is the owner.',
    }),
  }),
});

builder.objectFields(PaywallLink, (t) => ({
  version: t.exposeInt('version', {
    description:
      'The number of the version that is on sale: other content is a new version, from 1 on.',
  }),
  bought: t.intList({
    nullable: true,
    description:
      'The versions that this viewer bought, the newest purchase first: `key`, `url` and `files` ' +
      'are of these. Null unless unlocked for this viewer.',
    resolve: async (link) => (await link.unlock())?.bought,
  }),
  receipt: t.boolean({
    description:
      'True where a signed receipt of it is given to this viewer: not for a gift alone, whose price ' +
      'only its buyer is told.',
    resolve: async (link) => (await link.unlock())?.paid ?? false,
  }),
  newer: t.field({
    type: PaywallVersion,
    nullable: true,
    description:
      'The version on sale when it holds something that this viewer, who bought an earlier one, ' +
      'does not have: a buyer may take either.',
    resolve: async (link) => {
      const content = await link.unlock();
      const newer = await content?.newer();
      return newer && { ...showVersion(newer, content?.isStamped), buyers: null };
    },
  }),
  versions: t.field({
    type: [PaywallVersion],
    nullable: true,
    description: 'The last 100, newest first. Null unless the viewer is the owner.',
    resolve: async (link, _args, { db }) => {
      const versions = await link.findVersions();
      const buyers = versions && (await countBuyers(db, link.id));
      return versions?.map((version) => ({
        ...showVersion(version),
        buyers: buyers?.get(version.number) ?? 0,
      }));
    },
  }),
}));

const showVersion = ({ number, url, files, createdAt, isWhole }: Version, isStamped = false) => ({
  number,
  url,
  files: files.map((file) => showFile(file, isStamped)),
  createdAt: isoTime(createdAt),
  whole: isWhole,
});

const RestoreInput = builder.inputType('RestorePaywallLinkInput', {
  fields: (t) => ({ id: t.id({ required: true }) }),
});

builder.mutationField('restorePaywallLink', (t) =>
  t.field({
    type: PaywallLink,
    nullable: true,
    description: "Puts one of the creator's own deleted links back on sale.",
    args: { input: t.arg({ type: RestoreInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const author = await requireAuthor(context);
      if (author.kind !== 'creator') throw unauthorized('Only its creator restores a link.');
      const link = await restoreLink(context, { id: input.id, ownerId: author.userId });
      return new PresentedLink(context, context.viewer, link);
    },
  }),
);

import { findLink, type LinkReaders } from '../../catalog/links/queries.ts';
import { builder, type GraphqlContext, requireReader } from '../../edge/graphql/builder.ts';
import { streamChanges } from '../../edge/graphql/stream-changes.ts';
import { readOnce } from '../../ground/lib/batch-reads.ts';
import type { Change } from '../../ground/lib/changes.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { findPurchase, holdsGrant, holdsPurchase } from '../purchases/queries.ts';
import { findVisibleLink, PaywallLink, PresentedLink, presentTakenDown } from './present-link.ts';

builder.subscriptionField('onCreatePaywallLink', (t) =>
  t.field({
    type: PaywallLink,
    nullable: true,
    description: 'New links, of one owner or of all.',
    args: { owner: t.arg.string() },
    subscribe: (_root, { owner }, context) => streamLinks(context, ['link-created'], { owner }),
    resolve: (link) => link,
  }),
);

const OF_LINKS: { name: string; description: string; kinds: Change['kind'][] }[] = [
  {
    name: 'onUpdatePaywallLink',
    description:
      'Links that changed, that were unlocked or locked for this viewer, or whose payment by ' +
      'this viewer is being processed or failed. One that the operator took down is locked, and its ' +
      'hold says so; nothing else is told of it.',
    kinds: ['link-updated', 'link-taken-down', 'access-changed', 'payment-changed'],
  },
  {
    name: 'onDeletePaywallLink',
    description: 'Links that are no longer on sale.',
    kinds: ['link-deleted', 'link-taken-down'],
  },
];

for (const { name, description, kinds } of OF_LINKS) {
  builder.subscriptionField(name, (t) =>
    t.field({
      type: PaywallLink,
      nullable: true,
      description,
      args: { id: t.arg.id(), owner: t.arg.string() },
      subscribe: (_root, filter, context) => streamLinks(context, kinds, filter),
      resolve: (link) => link,
    }),
  );
}

interface Filter {
  id?: string | null;
  owner?: string | null;
}

function streamLinks(
  context: GraphqlContext,
  kinds: Change['kind'][],
  { id, owner }: Filter,
): AsyncIterableIterator<PresentedLink> {
  requireReader(context);
  // Left out, they are no condition; without a value, they are one that somebody forgot to fill in.
  if (id === null) throw withoutValue('id');
  if (owner === null) throw withoutValue('owner');
  return streamChanges(context.changes, {
    isWanted: (change) =>
      kinds.includes(change.kind) &&
      (id === undefined || id === change.id) &&
      (owner === undefined || owner === change.ownerId),
    async read(change) {
      const viewer = await context.findViewer(change);
      const link = await readLink(context, viewer, change);
      // Whoever names an unlisted link has its address; nobody else is told that there is one.
      const mayKnow = !link?.unlisted || id === link.id || link.mine;
      return mayKnow || viewer.authority === 'operator' ? link : null;
    },
  });
}

const withoutValue = (name: string) =>
  new DomainError(
    'INVALID_INPUT',
    `The argument '${name}' has no value. Leave it out, or give one.`,
  );

/** The link as it is now, for who the subscriber is now. */
async function readLink(
  context: GraphqlContext,
  viewer: Viewer,
  change: Change,
): Promise<PresentedLink | null> {
  requireReader({ viewer });
  return readOnce(change, `link for ${JSON.stringify(viewer)}`, () =>
    readLinkFor(context, viewer, change),
  );
}

async function readLinkFor(
  readers: LinkReaders,
  viewer: Viewer,
  change: Change,
): Promise<PresentedLink | null> {
  const { db } = readers;
  // Nobody learns of other people's purchases.
  if (change.kind === 'access-changed' && !(await holdsGrant(db, viewer, change.grantId))) {
    return null;
  }
  if (change.kind === 'payment-changed') {
    const purchase = await readOnce(change, 'purchase', () => findPurchase(db, change.purchaseId));
    if (!purchase || !holdsPurchase(viewer, purchase)) return null;
  }
  const link = await readOnce(change, 'link', () => findLink(db, change.id));
  if (change.kind === 'link-deleted' && link?.taken_down_at === null) {
    return new PresentedLink(readers, viewer, link);
  }
  if (change.kind === 'link-taken-down' && link) return presentTakenDown(readers, viewer, link);
  return findVisibleLink(readers, viewer, link);
}

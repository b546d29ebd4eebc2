import type { Mutant } from '../mutant.ts';

const tests = ['tests/bundles/bundles.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'a bundle does not open its parts',
    file: 'server/selling/access/access.ts',
    find: 'coalesce(purchase_part.link_id, access_grant.link_id)',
    replace: 'access_grant.link_id',
    tests,
    // The others wait for what never opens.
    titles: 'is one sale of one link',
  },
  {
    fault: 'a bundle brings its parts in the version of the bundle',
    file: 'server/selling/access/access.ts',
    find: 'coalesce(purchase_part.content_version, purchase.content_version)',
    replace: 'purchase.content_version',
    tests,
  },
  {
    fault: 'a bundle is sold to whoever has all parts',
    file: 'server/selling/checkout/start-checkout.ts',
    find: '    if (!isGift && (await hasAll({ db, viewer }, parts))) throw notOnSale(ALL_OWNED);\n',
    replace: '',
    tests,
  },
  {
    fault: 'a bundle is sold without a part that was deleted',
    file: 'server/catalog/links/bundles.ts',
    find: 'parts.length > 0 && parts.every(isOffered);',
    replace: 'parts.length > 0;',
    tests,
  },
  {
    fault: 'a bundle is made of links of somebody else',
    file: 'server/catalog/links/bundles.ts',
    find: "    .where('owner_id', '=', ownerId)\n",
    replace: '',
    tests,
  },
  {
    fault: 'a bundle is free',
    file: 'server/catalog/links/bundles.ts',
    find: '  if (!unlocked) return;',
    replace: '  if (unlocked !== 2) return;',
    tests,
  },
  {
    fault: 'a file that was sold in a bundle is deleted',
    file: 'server/delivery/downloads/delete-file.ts',
    find: 'offered.union(inBundles)',
    replace: 'offered',
    tests,
  },
  {
    fault: 'a checkout of a bundle goes on after a part was deleted',
    file: 'server/selling/purchases/end-checkouts.ts',
    find: '          exists(withdrawnParts),\n',
    replace: '',
    tests,
  },
  {
    fault: 'buyers of a bundle are not told that a part was taken down',
    file: 'server/office/moderation/follow-take-down.ts',
    find: '[...alone, ...inBundles]',
    replace: '[...alone, ...inBundles.slice(0, 0)]',
    tests,
    titles: 'sqlite.+loses by a take-down',
  },
  {
    fault: 'a part of a bundle is paid for twice in one cart',
    file: 'server/selling/checkout/cart.ts',
    find: '(inBundles.has(one.item.link_id) ? IN_BUNDLE : null)',
    replace: '(inBundles.has(IN_BUNDLE) ? IN_BUNDLE : null)',
    tests: ['tests/carts/carts.test.ts'],
    titles: 'sqlite.+part of a bundle twice',
  },
];

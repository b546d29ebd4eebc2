import { useState } from 'react';
import type { PageContext } from '../../../contract/page-context.ts';
import { type FragmentOf, graphql } from '../../lib/graphql.ts';
import { liveSubscription } from '../../lib/live-subscription.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { useLive } from '../../lib/use-live.ts';

export const linkFields = graphql(`
  fragment PaywallFields on PaywallLink {
    id type suspended hold: holdFact price least free title description seller sellerHandle noindex unlisted paused
    summary: summaryFacts mine fault: faultFact
    cover { url width height } previewFile { url width height } checkout { state price }
    files { name size mediaType sha256 } version bought receipt
    licenseKeys { key activations } devices
    left until takesCodes discount(code: $code) { price refusal: refusalFact }
  }
`);

const paywallQuery = graphql(
  'query Paywall($id: ID!, $code: String) { getPaywallLink(id: $id) { ...PaywallFields } }',
  [linkFields],
);

export const paywallVariables = ({ params, query }: PageContext) => ({
  id: params.id ?? '',
  code: query.code ?? null,
});

const changes = graphql(
  'subscription PaywallChanges($id: ID!, $code: String) { onUpdatePaywallLink(id: $id) { ...PaywallFields } }',
  [linkFields],
);

export type PaywallLink = FragmentOf<typeof linkFields>;

/**
 * The link of a paywall page, as it changes: the page unlocks when its payment settles.
 * @returns the link, and how to show it after a change made here
 */
export function usePaywallLink(
  first: PaywallLink | null,
  ctx: PageContext,
): [PaywallLink | null, (link: PaywallLink) => void] {
  const [link, setLink] = useState(first);
  // A deleted link stays visible: an attempt to unlock it says so.
  const show = (now: PaywallLink | null) => setLink((shown) => now ?? shown);
  // Reloaded, it would be shown as to its owner.
  const isLive = first && !ctx.preview;
  const variables = paywallVariables(ctx);
  useLive(ctx.config, {
    subscriptions: isLive
      ? [liveSubscription(changes, variables, (data) => show(data.onUpdatePaywallLink))]
      : [],
    read: () => requestGraphql(ctx.config, paywallQuery, variables),
    show: (data) => show(data.getPaywallLink),
  });
  return [link, setLink];
}

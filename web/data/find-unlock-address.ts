import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { TEXTS } from '../../contract/texts.ts';
import { contentAddress } from './addresses.ts';
import { graphql } from './graphql.ts';
import { announceClaim } from './live/claim-channel.ts';
import { postJson } from './post-json.ts';
import { RequestError } from './request-error.ts';
import { requestGraphql } from './request-graphql.ts';

const linkQuery = graphql(`
  query UnlockLink($id: ID!) {
    getPaywallLink(id: $id) { unlocked type key url }
  }
`);

/** A refusal whose words the specification gives (§8). */
export class UnlockRefusal extends Error {
  override name = 'UnlockRefusal';
}

/**
 * Where 'Unlock Now' leads: to the checkout, or to the content when it is unlocked already.
 * Throws UnlockRefusal, or whatever else went wrong on the way.
 */
export async function findUnlockAddress(id: string, config: RuntimeConfig): Promise<string> {
  const { getPaywallLink: link } = await requestGraphql(config, linkQuery, { id });
  if (!link) throw new UnlockRefusal(TEXTS.linkNotFound);
  if (!link.unlocked) return startCheckout(id, config);
  const deliverable = link.type === 'file' ? link.key : link.type === 'link' && link.url;
  if (!deliverable) throw new UnlockRefusal(TEXTS.invalidPaywallData);
  return contentAddress(id);
}

/** Whether the link has been unlocked meanwhile; false also when nobody can tell. */
export async function isUnlocked(id: string, config: RuntimeConfig): Promise<boolean> {
  try {
    const { getPaywallLink: link } = await requestGraphql(config, linkQuery, { id });
    return link?.unlocked === true;
  } catch {
    return false;
  }
}

async function startCheckout(id: string, config: RuntimeConfig): Promise<string> {
  if (!config.checkoutApiEndpoint) throw new UnlockRefusal(TEXTS.endpointMissing);
  const address = `${config.checkoutApiEndpoint}checkout`;
  const checkout = await postJson<{ url?: string }>(address, { paywallId: id }).catch((cause) => {
    if (!(cause instanceof RequestError)) throw cause;
    throw new Error(TEXTS.checkoutFailed, { cause });
  });
  announceClaim();
  if (!checkout.url) throw new UnlockRefusal(TEXTS.checkoutUrlMissing);
  return checkout.url;
}

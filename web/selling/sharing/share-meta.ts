import { putIntoEnglish } from '../../../contract/fact.ts';
import { isolate } from '../../../contract/isolate.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '../../../contract/limits.ts';
import { priceOf } from '../../../contract/links.ts';
import { formatCents } from '../../../contract/money.ts';
import { nameLink } from '../../../contract/name-link.ts';
import type { sellerQuery } from '../../catalog/sellers/seller.page.tsx';
import type { ResultOf } from '../../lib/graphql.ts';
import type { PageContext, PageHead } from '../../page.ts';
import { toScriptJson } from '../../shell/raw.tsx';
import { wholeTitle, writeTag } from '../../shell/write-head.ts';
import type { Answer } from '../paywall/paywall.page.tsx';
import type { PaywallLink } from '../paywall/paywall-link.ts';

/** What other sites show of the landing page: its words beside the product's icon. */
export function shareLanding({ head, ctx }: ShareInput<unknown>): string {
  const properties = {
    'og:type': 'website',
    'og:site_name': ctx.config.siteName,
    'og:title': wholeTitle(head, ctx),
    'og:description': head.description,
    'og:url': head.canonical,
    'og:image': `${ctx.config.origin}/icon-512.png`,
    'og:image:alt': 'A closed padlock',
  };
  return writeMeta('property', properties) + writeMeta('name', { 'twitter:card': 'summary' });
}

export function sharePaywall({ data, head, ctx }: ShareInput<Answer>) {
  const link = data.getPaywallLink;
  if (!link) return '';
  const { description } = head;
  const { origin } = ctx.config;
  const address = `${origin}/p/${link.id}`;
  const card = `${address}/card.png`;
  const name = nameLink(link);
  const priceCents = link.free ? 0 : (link.least ?? link.price);
  const properties = {
    'og:type': 'product',
    'og:site_name': ctx.config.siteName,
    'og:title': name,
    'og:description': description,
    'og:url': address,
    'og:image': card,
    'og:image:type': 'image/png',
    'og:image:width': String(CARD_WIDTH),
    'og:image:height': String(CARD_HEIGHT),
    'og:image:alt': describeCard(link, ctx),
    'product:price:amount': formatCents(priceCents),
    'product:price:currency': 'USD',
  };
  const names = {
    'twitter:card': 'summary_large_image',
    'twitter:image': card,
    'twitter:image:alt': describeCard(link, ctx),
  };
  const oembed = {
    href: `${origin}/oembed?format=json&url=${encodeURIComponent(address)}`,
    rel: 'alternate',
    title: name,
    type: 'application/json+oembed',
  };
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description: link.description ?? description,
    image: link.cover ? `${origin}${link.cover.url}` : card,
    url: address,
    offers: {
      '@type': 'Offer',
      price: formatCents(priceCents),
      priceCurrency: 'USD',
      availability: `https://schema.org/${link.paused || link.hold ? 'OutOfStock' : 'InStock'}`,
      url: address,
      ...(link.seller && { seller: { '@type': 'Organization', name: link.seller } }),
    },
  };
  const meta = writeMeta('property', properties) + writeMeta('name', names);
  return meta + writeTag('link', oembed) + writeJsonLd(product);
}

export function shareSeller({ data, head, ctx }: ShareInput<ResultOf<typeof sellerQuery>>) {
  const seller = data.getSeller;
  if (!seller) return '';
  const { origin } = ctx.config;
  const address = `${origin}/s/${seller.handle}`;
  const card = `${address}/card.png`;
  const name = seller.name ?? seller.handle;
  const alt = `${isolate(name)}, on ${ctx.config.siteName}`;
  const properties = {
    'og:type': 'profile',
    'og:site_name': ctx.config.siteName,
    'og:title': name,
    'og:description': head.description,
    'og:url': address,
    'og:image': card,
    'og:image:type': 'image/png',
    'og:image:width': String(CARD_WIDTH),
    'og:image:height': String(CARD_HEIGHT),
    'og:image:alt': alt,
  };
  const names = {
    'twitter:card': 'summary_large_image',
    'twitter:title': name,
    'twitter:description': head.description,
    'twitter:image': card,
    'twitter:image:alt': alt,
  };
  const profile = {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url: address,
    mainEntity: {
      '@type': 'Organization',
      name,
      alternateName: seller.handle,
      url: address,
      ...(seller.about && { description: seller.about }),
      ...(seller.picture && { image: origin + seller.picture.url }),
      ...(seller.links.length > 0 && { sameAs: seller.links }),
    },
  };
  return writeMeta('property', properties) + writeMeta('name', names) + writeJsonLd(profile);
}

const writeJsonLd = (described: object) =>
  `<script type="application/ld+json">${toScriptJson(described)}</script>`;

function describeCard(link: PaywallLink, { config }: PageContext): string {
  const said = putIntoEnglish(priceOf(link));
  const price = said.charAt(0).toLowerCase() + said.slice(1);
  const seller = link.seller ? ` by ${isolate(link.seller)}` : '';
  return `${isolate(nameLink(link))}${seller}, ${price}, on ${config.siteName}`;
}

/** What other sites read when someone posts the address there: Open Graph's, or Twitter's own. */
function writeMeta(naming: 'property' | 'name', said: Record<string, string | undefined>): string {
  let tags = '';
  for (const about in said) {
    const content = said[about];
    if (content !== undefined) tags += writeTag('meta', { content, [naming]: about });
  }
  return tags;
}

/** What a page's metadata for other sites is made from. */
export interface ShareInput<Data> {
  data: Data;
  head: PageHead;
  ctx: PageContext;
}

import { PAGE_NAMES, type PageName } from '../../../contract/pages.ts';

export interface PagePolicy {
  /** CSP source expressions of the styles and scripts inlined in each page. */
  styleSources: Record<PageName, string[]>;
  scriptSources: Record<PageName, string[]>;
  /** Origin without a trailing slash. */
  publicUrl: string;
  /** Origin of the provider's custom checkout domain. */
  checkoutOrigin: string | null;
  /** Where the page sends a checkout; empty when it has none. */
  checkoutApiEndpoint: string;
  /** Origin of the store that browsers send to and get from straight away; null: this server does. */
  storeOrigin: string | null;
}

/** The provider's hosted page, where the answer to the paywall's form leads. */
const PROVIDER_CHECKOUT = 'https://checkout.stripe.com';

/** The pages that upload files, and those that play what was bought. */
const UPLOADING = new Set<PageName>(['upload', 'dashboard']);
const PLAYING = new Set<PageName>(['paywall', 'success']);

/** Headers of every answer. @param publicUrl origin */
export function baseHeaders(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    // Never no-referrer: a form post of the same origin would then send "Origin: null".
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** Headers of the documents of each page, besides those of every answer. */
export type DocumentHeaders = (name: PageName) => Record<string, string>;

export function documentHeaders(policy: PagePolicy): DocumentHeaders {
  const headers = new Map(PAGE_NAMES.map((name) => [name, headersOfPage(policy, name)]));
  return (name) => headers.get(name) as Record<string, string>;
}

function headersOfPage(policy: PagePolicy, name: PageName): Record<string, string> {
  const customCheckout = policy.checkoutOrigin ? [policy.checkoutOrigin] : [];
  const storeFor = (pages: Set<PageName>) =>
    policy.storeOrigin && pages.has(name) ? [policy.storeOrigin] : [];
  const checkoutApi = foreignOrigin(policy.checkoutApiEndpoint, policy.publicUrl);
  const csp = [
    "default-src 'none'",
    `script-src ${["'self'", ...policy.scriptSources[name]].join(' ')}`,
    `style-src ${["'self'", ...policy.styleSources[name]].join(' ')}`,
    "img-src 'self' data:",
    `media-src ${["'self'", ...storeFor(PLAYING)].join(' ')}`,
    "font-src 'self'",
    `connect-src ${["'self'", ...checkoutApi, ...storeFor(UPLOADING)].join(' ')}`,
    "manifest-src 'self'",
    "frame-src 'self'",
    `form-action ${["'self'", PROVIDER_CHECKOUT, ...customCheckout, ...checkoutApi].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    ...baseHeaders(policy.publicUrl),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': csp.join('; '),
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-frame-options': 'DENY',
    ...(isTrustworthy(policy.publicUrl) && { 'cross-origin-opener-policy': 'same-origin' }),
  };
}

function foreignOrigin(address: string, publicUrl: string): string[] {
  if (!address) return [];
  const { origin } = new URL(address, publicUrl);
  return origin === publicUrl ? [] : [origin];
}

/** Browsers complain of the opener policy on a plain http address other than this machine's. */
function isTrustworthy(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

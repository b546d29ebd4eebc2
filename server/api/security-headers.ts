export interface PagePolicy {
  /** CSP source expressions of the inlined stylesheet. */
  styleSources: string[];
  /** Where a form's answer may lead besides ourselves: the provider's checkout. */
  formTargets: string[];
  scriptSources: string[];
  https: boolean;
}

/** Headers of every answer. */
export const BASE_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  // Never no-referrer: a form post of the same origin would then send "Origin: null".
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/** Headers of a document, besides those of every answer. */
export function documentHeaders(policy: PagePolicy): Record<string, string> {
  const csp = [
    "default-src 'none'",
    `script-src ${["'self'", ...policy.scriptSources].join(' ')}`,
    `style-src ${["'self'", ...policy.styleSources].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    `form-action ${["'self'", ...policy.formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    ...BASE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': csp.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-frame-options': 'DENY',
    ...(policy.https && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

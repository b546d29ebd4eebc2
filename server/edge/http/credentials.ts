import { hash, timingSafeEqual } from 'node:crypto';

/** What a publishable key begins with, also that of an installation before it got another secret. */
const PUBLISHABLE = 'pk_';

/** Other schemes belong to a proxy in front. */
const BEARER = /^bearer /i;

/** Whether an Authorization header says who asks. */
export function isBearer(authorization: string | undefined): authorization is string {
  return authorization !== undefined && BEARER.test(authorization);
}

/** Whether an x-api-key header says who asks, rightly or wrongly: a publishable key does not. */
export function isSecretKey(key: unknown): key is string {
  return typeof key === 'string' && !key.startsWith(PUBLISHABLE);
}

/** Compares in constant time. */
export function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}

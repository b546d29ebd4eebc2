import type { PageName } from './pages.ts';

/** Every language that pages and mails to buyers come in, by what it calls itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

/**
 * `en-XA` is English with accents and a third longer, each sentence in brackets: what stands outside
 * of them is in no catalogue, and what has no room shows. Only tests can have it.
 */
export type Spoken = Language | 'en-XA';

/** Holds the choice that was made in the footer. */
export const LANGUAGE_COOKIE = 'language';

/** What a buyer may see. All other pages are in English, whatever language is asked for. */
const TRANSLATED = new Set<PageName>([
  'landing',
  'login',
  'account',
  'webhooks',
  'paywall',
  'explore',
  'seller',
  'cart',
  'dashboard',
  'sales',
  'codes',
  'bundle',
  'sources',
  'upload',
  'success',
  'failed',
  'access',
  'purchases',
  'verify',
  'offline',
  'report',
  'taken-down',
  'not-found',
  'error',
  'money',
  'operator',
  'operator-acts',
  'operator-links',
  'operator-purchases',
  'operator-reports',
  'operator-sellers',
  'operator-undelivered',
  'terms',
  'privacy',
]);

export const isTranslated = (page: PageName) => TRANSLATED.has(page);

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

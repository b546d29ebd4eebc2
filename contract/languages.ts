import type { PageName } from './pages.ts';

/** Every language that pages and mails to buyers come in, by what it calls itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

/**
 * `en-XA` is English with accents and a third longer, each sentence in brackets: what stands outside
 * of them is in no catalog, and what has no room shows. Only tests can have it.
 */
export type Spoken = Language | 'en-XA';

/** Holds the choice that was made in the footer. */
export const LANGUAGE_COOKIE = 'language';

/** All but the mailbox of an installation that is being tried, which only its operator sees. */
export const isTranslated = (page: PageName) => page !== 'mailbox';

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

import { ENGLISH, putIntoWords, type Said, type Tongue } from '../../contract/fact.ts';
import type { Spoken } from '../../contract/languages.ts';
import type { German } from './german.ts';

/** A sentence of the catalogs, which is its own name: as it is said in English. */
export type Sentence = keyof German;

/** How another language than English says things. */
export interface Speech extends Tongue {
  language: Spoken;
  /** A day in UTC. */
  day(time: string | number): string;
  /** A second in UTC. */
  second(isoTime: string): string;
}

/**
 * That of the page, or of the mail. A page is rendered in one go, so that nothing comes between; a
 * browser shows one page.
 */
let speech: Speech | null = null;

export const speak = (given: Speech | null) => {
  speech = given;
};

/** null for English. */
export const spoken = () => speech;

/** What the server says, or both sides check, in the page's language; what is words already stays. */
export const tell = (said: Said): string => putIntoWords(said, speech ?? ENGLISH);

/** A sentence in the page's language, with its values, each laid out by itself. */
export const say = (sentence: Sentence, values?: Record<string, string | number>): string =>
  tell(values ? { text: sentence, values } : sentence);

import { isolate } from '../../contract/isolate.ts';
import type { Spoken } from '../../contract/languages.ts';
import type { German } from './german.ts';

/** A sentence of the catalogues, which is its own name: as it is said in English. */
export type Sentence = keyof German;

/** How another language than English says things. */
export interface Speech {
  language: Spoken;
  /** A sentence of the catalogue. */
  say(sentence: string): string;
  /** What the server worded, and numbers within: as it came where the catalogue has nothing of it. */
  retell(words: string): string;
  /** Integer cents. */
  price(cents: number): string;
  /** A day in UTC. */
  day(time: string | number): string;
  /** A second in UTC. */
  moment(isoTime: string): string;
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

type Values = Record<string, string | number>;

/** A sentence in the page's language, with its values, each laid out by itself. */
export function say(sentence: Sentence, values?: Values): string {
  const words = speech ? speech.say(sentence) : sentence;
  return values ? words.replace(/\{(\w+)\}/g, (_, name) => isolate(`${values[name]}`)) : words;
}

/** Words that the server made, in the page's language as far as its catalogue has them. */
export const retell = (words: string): string => (speech ? speech.retell(words) : words);

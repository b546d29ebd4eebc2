import type { Spoken } from '../../contract/languages.ts';
import { type Speech, speak } from './say.ts';

/** A page's part of the catalog, as it is sent to the browser. */
export interface SpokenTexts {
  language: Spoken;
  texts: Record<string, string>;
}

export function createSpeech({ language, texts }: SpokenTexts): Speech {
  const price = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  const inUtc = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  const day = new Intl.DateTimeFormat(language, inUtc);
  const second = new Intl.DateTimeFormat(language, { ...inUtc, timeStyle: 'medium' });
  return {
    language,
    sentence: (text) => texts[text] ?? text,
    number: (value, digits) =>
      value.toLocaleString(language, {
        minimumFractionDigits: digits ?? 0,
        maximumFractionDigits: digits ?? 3,
        useGrouping: 'min2',
      }),
    price: (cents) => price.format(cents / 100).replace('-', '−'),
    day: (time) => day.format(new Date(time)),
    second: (time) => `${second.format(new Date(time))} UTC`,
  };
}

/** From now on, the page speaks another language than English. */
export const learn = (texts: SpokenTexts) => speak(createSpeech(texts));

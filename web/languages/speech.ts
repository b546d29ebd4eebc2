import type { Spoken } from '../../contract/languages.ts';
import { type Speech, speak } from './say.ts';

/** A page's part of the catalogue, as it is sent to the browser. */
export interface SpokenTexts {
  language: Spoken;
  texts: Record<string, string>;
}

/** A moment or a number within words that the server made, as English writes it. */
const VALUE = /([A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d UTC)|\d[\d,]*(?:\.\d+)?(?![a-z\d])/g;

export function createSpeech({ language, texts }: SpokenTexts): Speech {
  const say = (sentence: string) => texts[sentence] ?? sentence;

  function writeNumber(written: string): string {
    const [, decimals = ''] = written.split('.');
    return Number(written.replaceAll(',', '')).toLocaleString(language, {
      minimumFractionDigits: decimals.length,
      useGrouping: 'min2',
    });
  }

  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });

  /** The catalogue's sentence with # for each number and @ for each moment, which stay in their order. */
  function find(words: string): string | undefined {
    const known = texts[words];
    if (known !== undefined) return known;
    const values: string[] = [];
    const pattern = words.replace(VALUE, (value, isMoment) => {
      values.push(isMoment ? `${moment.format(new Date(value))} UTC` : writeNumber(value));
      return isMoment ? '@' : '#';
    });
    return values.length > 0
      ? texts[pattern]?.replace(/[#@]/g, () => values.shift() ?? '')
      : undefined;
  }

  const price = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    language,
    say,
    // What is listed, such as a file's kind, size and length, is found piece by piece.
    retell: (words) =>
      find(words) ??
      words.replace(/[^,()\s][^()]*?(?=, |[()]| \(|$)/g, (piece) => find(piece) ?? piece),
    price: (cents) => price.format(cents / 100),
    day: (time) => day.format(new Date(time)),
  };
}

/** From now on, the page speaks another language than English. */
export const learn = (texts: SpokenTexts) => speak(createSpeech(texts));

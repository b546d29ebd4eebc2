import type { Spoken } from '../../contract/languages.ts';
import { type Speech, speak } from './say.ts';

/** A page's part of the catalogue, as it is sent to the browser. */
export interface SpokenTexts {
  language: Spoken;
  texts: Record<string, string>;
}

/** A moment or a number within words that the server made, as English writes it. */
const VALUE = /([A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d UTC)|\d[\d,]*(?:\.\d+)?(?![a-z\d])/g;

const SENTENCE_END = /(?<=[.!?]) (?=[A-Z])/;

/** Finds sentences like this one, with any text in place of each *. */
function patternOf(sentence: string): RegExp {
  const parts = sentence.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+)')}$`, 's');
}

export function createSpeech({ language, texts }: SpokenTexts): Speech {
  const say = (sentence: string) => texts[sentence] ?? sentence;

  function writeNumber(written: string): string {
    const [, decimals = ''] = written.split('.');
    return Number(written.replaceAll(',', '')).toLocaleString(language, {
      minimumFractionDigits: decimals.length,
      useGrouping: 'min2',
    });
  }

  const formatMoment = (timeStyle: 'short' | 'medium') => {
    const format = new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeStyle,
      timeZone: 'UTC',
    });
    return (time: string) => `${format.format(new Date(time))} UTC`;
  };
  const toMinute = formatMoment('short');

  /** The catalogue's sentence with # for each number and @ for each moment, which stay in their order. */
  function find(words: string): string | undefined {
    const known = texts[words];
    if (known !== undefined) return known;
    const values: string[] = [];
    const pattern = words.replace(VALUE, (value, isMoment) => {
      values.push(isMoment ? toMinute(value) : writeNumber(value));
      return isMoment ? '@' : '#';
    });
    return values.length > 0
      ? texts[pattern]?.replace(/[#@]/g, () => values.shift() ?? '')
      : undefined;
  }

  const patterns = Object.keys(texts)
    .filter((sentence) => sentence.includes('*'))
    .map((sentence) => ({ sentence, pattern: patternOf(sentence) }));

  /** The catalogue's sentence with * for each text, which is told again and stays in its order. */
  function fill(words: string): string | undefined {
    for (const { sentence, pattern } of patterns) {
      const [, ...values] = pattern.exec(words) ?? [];
      if (values.length > 0)
        return say(sentence).replace(/\*/g, () => retell(values.shift() ?? ''));
    }
    return undefined;
  }

  /** What is listed, such as a file's kind, size and length, or what is still needed. */
  function list(words: string): string {
    const named = words.split(/, and | and |, /).map(find);
    if (words.includes(' and ') && named.every((name) => name !== undefined)) {
      return new Intl.ListFormat(language).format(named);
    }
    return words.replace(/[^,()\s][^()]*?(?=, |[()]| \(|$)/g, (piece) => find(piece) ?? piece);
  }

  function retell(words: string): string {
    const whole = find(words) ?? fill(words);
    if (whole !== undefined) return whole;
    const [first = '', ...others] = words.split(SENTENCE_END);
    return others.length > 0 ? [first, ...others].map(retell).join(' ') : list(words);
  }

  const price = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    language,
    say,
    retell,
    price: (cents) => price.format(cents / 100),
    day: (time) => day.format(new Date(time)),
    moment: formatMoment('medium'),
  };
}

/** From now on, the page speaks another language than English. */
export const learn = (texts: SpokenTexts) => speak(createSpeech(texts));

import type { Spoken } from '../../contract/languages.ts';
import { GERMAN } from './german.ts';
import { speak, spoken } from './say.ts';
import { createSpeech, type SpokenTexts } from './speech.ts';

export const SENTENCES = Object.keys(GERMAN);

/** Letters that look like themselves and tell that they were looked up. */
export const ACCENTS: Record<string, string> = Object.fromEntries(
  [...'aàeéiîoôuûcçnñsšyýAÀEÉOÔUÛ'.matchAll(/(.)(.)/g)].map(([, plain = '', other]) => [
    plain,
    other ?? '',
  ]),
);

function accent(sentence: string): string {
  const longer = sentence
    .split(/(\{\w+\})/)
    .map((part, place) =>
      place % 2 ? part : part.replace(/[a-z]/gi, (letter) => ACCENTS[letter] ?? letter),
    )
    .join('');
  return `[${longer}${' ~~~~'.repeat(Math.ceil(sentence.length / 15))}]`;
}

const CATALOGUES: Record<Exclude<Spoken, 'en'>, Record<string, string>> = {
  de: GERMAN,
  'en-XA': Object.fromEntries(SENTENCES.map((sentence) => [sentence, accent(sentence)])),
};

const SPEECHES = {
  en: null,
  de: createSpeech({ language: 'de', texts: CATALOGUES.de }),
  'en-XA': createSpeech({ language: 'en-XA', texts: CATALOGUES['en-XA'] }),
};

/** Runs what renders something in one go. */
export function inLanguage<Result>(language: Spoken | undefined, run: () => Result): Result {
  speak(SPEECHES[language ?? 'en']);
  try {
    return run();
  } finally {
    speak(null);
  }
}

/** What a browser needs of the catalog; undefined in English. */
export function fixTexts(sentences: string[]): SpokenTexts | undefined {
  const language = spoken()?.language;
  if (!language || language === 'en') return undefined;
  const catalog = CATALOGUES[language];
  return {
    language,
    // What is the same in English is said without it.
    texts: Object.fromEntries(
      sentences.flatMap((sentence) => {
        const words = catalog[sentence] ?? sentence;
        return words === sentence ? [] : [[sentence, words]];
      }),
    ),
  };
}

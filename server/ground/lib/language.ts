import {
  isLanguage,
  LANGUAGE_COOKIE,
  type Language,
  type Spoken,
} from '../../../contract/languages.ts';

interface Headers {
  cookie?: string | undefined;
  'accept-language'?: string | undefined;
}

const CHOSEN = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([\\w-]+)`);

/**
 * The language of an answer: the one that was chosen in the footer, or the first of those that the
 * browser asks for, or English.
 * @param trial whether the language that tests alone can have may be chosen
 */
export function languageOf(headers: Headers, trial?: false): Language;
export function languageOf(headers: Headers, trial: boolean): Spoken;
export function languageOf(
  { cookie, 'accept-language': accepted }: Headers,
  trial = false,
): Spoken {
  const chosen = cookie && CHOSEN.exec(cookie)?.[1];
  if (chosen && isLanguage(chosen)) return chosen;
  if (trial && chosen === 'en-XA') return chosen;
  return accepted ? negotiate(accepted) : 'en';
}

/** No browser asks for more; what a stranger sends on top of it is not read. */
const MOST_ASKED_FOR = 20;

function negotiate(accepted: string): Language {
  let best: Language = 'en';
  let weight = 0;
  for (const range of accepted.split(',', MOST_ASKED_FOR)) {
    const [tag = '', quality] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/);
    const language = tag.split('-', 1)[0] ?? '';
    const wish = quality === undefined ? 1 : Number(quality);
    if (!isLanguage(language) || !(wish > weight)) continue;
    best = language;
    weight = wish;
  }
  return best;
}

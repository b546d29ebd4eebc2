import { holdsControls, isBlank, isLongerThan } from './characters.ts';
import { type Fact, fact } from './fact.ts';
import { sizeOf } from './format.ts';
import {
  MAX_COPIES,
  MAX_DESCRIPTION_LENGTH,
  MAX_FILE_NAME_BYTES,
  MAX_FILE_PATH_BYTES,
  MAX_FOLDERS,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  PROVIDER_MAX_CENTS,
} from './limits.ts';
import { dollarsToCents } from './money.ts';
import { UPLOAD_TEXTS } from './upload-texts.ts';

// Each check says what is wrong with a value, or returns undefined where nothing is.

/** A title as it is kept, without surrounding space; '' where nothing of it can be seen. */
export function tidyTitle(title: string): string {
  return isBlank(title) ? '' : title.normalize('NFC').trim();
}

/** @param title tidy */
export function checkTitle(title: string): Fact | undefined {
  if (isLongerThan(title, MAX_TITLE_LENGTH)) {
    return fact('The title is longer than {limit} characters.', { limit: MAX_TITLE_LENGTH });
  }
  if (holdsControls(title)) return fact('The title contains invisible control characters.');
  return undefined;
}

/**
 * A description as it is kept, without surrounding space and with line breaks of one kind; '' where
 * nothing of it can be seen.
 */
export function tidyDescription(description: string): string {
  if (isBlank(description)) return '';
  return description
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .trim();
}

/** @param description tidy */
export function checkDescription(description: string): Fact | undefined {
  if (isLongerThan(description, MAX_DESCRIPTION_LENGTH)) {
    const limit = MAX_DESCRIPTION_LENGTH;
    return fact('The description is longer than {limit} characters.', { limit });
  }
  if (holdsControls(description.replaceAll('\n', ''))) {
    return fact('The description contains invisible control characters.');
  }
  return undefined;
}

/** What a price must be to be taken. */
export interface PriceTerms {
  /** Cents: the operator's, never below the provider's. */
  minimumPriceCents: number;
  /** Cents: the least that the provider charges a card. */
  providerMinimumCents: number;
}

export function checkPrice(cents: number, terms: PriceTerms): Fact | undefined {
  if (!Number.isInteger(cents) || cents <= 0) return fact(UPLOAD_TEXTS.invalidPrice);
  return checkPriceBounds(cents, terms);
}

/** Of a price as a person types it, in dollars. */
export function checkTypedPrice(typed: string, terms: PriceTerms): Fact | undefined {
  const cents = dollarsToCents(Number(typed));
  if (!(cents > 0)) return fact(UPLOAD_TEXTS.invalidPrice);
  return checkPriceBounds(cents, terms);
}

/** Says in an update that the price of a link is fixed, and no longer named by buyers. */
export const FIXED_PRICE = -1;

/** Of the minimum price that buyers may name, beside the one that is suggested; cents. */
export function checkLeast(
  leastCents: number,
  suggestedCents: number,
  terms: PriceTerms,
): Fact | undefined {
  if (!Number.isInteger(leastCents) || leastCents < 0) {
    return fact('Enter a valid minimum price: $0 or more.');
  }
  if (leastCents > suggestedCents) return fact('The minimum price is above the suggested one.');
  return leastCents === 0 ? undefined : checkPriceBounds(leastCents, terms);
}

/** Of how many copies are sold; 0 stands for any number. */
export function checkCopies(copies: number): Fact | undefined {
  if (Number.isInteger(copies) && copies >= 0 && copies <= MAX_COPIES) return undefined;
  return fact('The number of copies must be from 1 to {limit}.', { limit: MAX_COPIES });
}

/** Of a positive price in cents. */
export function checkPriceBounds(
  cents: number,
  { minimumPriceCents, providerMinimumCents }: PriceTerms,
): Fact | undefined {
  if (cents < minimumPriceCents) {
    const minimum = { cents: minimumPriceCents };
    return minimumPriceCents > providerMinimumCents
      ? fact('The minimum price is {minimum}.', { minimum })
      : fact('Cards cannot be charged less than {minimum}.', { minimum });
  }
  if (cents <= PROVIDER_MAX_CENTS) return undefined;
  return fact('The maximum price is {maximum}.', { maximum: { cents: PROVIDER_MAX_CENTS } });
}

/** Of a web address that is sold. */
export function checkUrl(text: string): Fact | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    return fact('Enter a full web address that begins with https:// or http://.');
  }
  if (url.username || url.password) return fact('The web address cannot contain a password.');
  // As stored: other scripts take more characters than were typed.
  if (url.href.length > MAX_URL_LENGTH) return fact('This web address is too long.');
  return undefined;
}

export function checkFileSize(bytes: number, maxBytes: number): Fact | undefined {
  if (bytes === 0) return fact('This file is empty. Choose another file.');
  if (bytes <= maxBytes) return undefined;
  return fact('This file is larger than the maximum of {size}.', { size: sizeOf(maxBytes) });
}

/** Of a file's name with its folders, each of which is shortened before it is kept. */
export function checkFilePath(path: string): Fact | undefined {
  const parts = path.split('/');
  const lengths = parts.map((part) => new TextEncoder().encode(part).length);
  const bytes = lengths.reduce((sum, length) => sum + Math.min(length, MAX_FILE_NAME_BYTES), 0);
  const folders = parts.length - 1;
  if (bytes + folders <= MAX_FILE_PATH_BYTES && folders <= MAX_FOLDERS) return undefined;
  return fact(
    'The path of this file is too long. It can be at most {bytes} bytes long and {folders} folders deep.',
    { bytes: MAX_FILE_PATH_BYTES, folders: MAX_FOLDERS },
  );
}

/** What the page shows of a link's first file before it is paid for. */
export const PREVIEWS = ['none', 'first-page', 'blurred', 'excerpt'] as const;

export type Preview = (typeof PREVIEWS)[number];

const FITTING: [RegExp, Exclude<Preview, 'none'>][] = [
  [/^application\/pdf$/, 'first-page'],
  [/^image\/(png|jpeg|webp|avif|gif)$/, 'blurred'],
  [/^audio\/(mpeg|wav)$/, 'excerpt'],
];

/** The one kind of preview that can be made of a file of this media type; null if none can. */
export function fittingPreview(mediaType: string | null): Exclude<Preview, 'none'> | null {
  return FITTING.find(([type]) => type.test(mediaType ?? ''))?.[1] ?? null;
}

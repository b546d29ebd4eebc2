import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH, MAX_URL_LENGTH } from '../../contract/limits.ts';
import { checkPriceBounds } from '../../contract/money.ts';
import { TEXTS } from '../../contract/texts.ts';
import { holdsControls } from '../lib/characters.ts';
import { DomainError } from '../lib/domain-error.ts';

/** The title without surrounding space, or null when there is none. @throws DomainError INVALID_TITLE */
export function validateTitle(text: string | null | undefined): string | null {
  const title = text?.normalize('NFC').trim() ?? '';
  if (title.length > MAX_TITLE_LENGTH) {
    throw new DomainError(
      'INVALID_TITLE',
      `The title is longer than ${MAX_TITLE_LENGTH} characters.`,
    );
  }
  if (holdsControls(title)) {
    throw new DomainError('INVALID_TITLE', 'The title contains invisible control characters.');
  }
  return title || null;
}

/** @throws DomainError INVALID_PRICE unless the price is an integer of cents within the bounds. */
export function validatePrice(priceCents: number, minimumCents: number): void {
  if (!Number.isInteger(priceCents) || priceCents <= 0) {
    throw new DomainError('INVALID_PRICE', TEXTS.invalidPrice);
  }
  const fault = checkPriceBounds(priceCents, minimumCents);
  if (fault) throw new DomainError('INVALID_PRICE', fault);
}

/**
 * The description without surrounding space and with line breaks of one kind, or null when there
 * is none. @throws DomainError INVALID_DESCRIPTION
 */
export function validateDescription(text: string | null | undefined): string | null {
  const description =
    text
      ?.normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replaceAll('\t', ' ')
      .trim() ?? '';
  if ([...description].length > MAX_DESCRIPTION_LENGTH) {
    const limit = MAX_DESCRIPTION_LENGTH.toLocaleString('en-US');
    throw new DomainError(
      'INVALID_DESCRIPTION',
      `The description is longer than ${limit} characters.`,
    );
  }
  if (holdsControls(description.replaceAll('\n', ''))) {
    throw new DomainError(
      'INVALID_DESCRIPTION',
      'The description contains invisible control characters.',
    );
  }
  return description || null;
}

/**
 * The web address that a link of type 'link' sells, normalized.
 * @throws DomainError INVALID_URL unless it is http or https without credentials.
 */
export function validateTargetUrl(text: string): string {
  const refuse = (message: string) => new DomainError('INVALID_URL', message);
  if (!URL.canParse(text)) {
    throw refuse('This is not a web address. Enter one that begins with https:// or http://.');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse('Only web addresses that begin with https:// or http:// can be sold.');
  }
  if (url.username || url.password) {
    throw refuse('The web address contains a user name or password. Remove what is before the @.');
  }
  // As stored: other scripts take more characters than were typed.
  if (url.href.length > MAX_URL_LENGTH) {
    throw refuse(`The web address is longer than ${MAX_URL_LENGTH} characters.`);
  }
  return url.href;
}

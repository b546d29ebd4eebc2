import { MAX_URL_LENGTH } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';

/**
 * The address a link of type 'link' sells, normalized.
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
    throw refuse('The web address holds a user name or password. Remove it before the @.');
  }
  // As it is kept: other scripts take more characters in it than were typed.
  if (url.href.length > MAX_URL_LENGTH) {
    throw refuse(`The web address is longer than ${MAX_URL_LENGTH} characters.`);
  }
  return url.href;
}

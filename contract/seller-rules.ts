import { holdsControls, isLongerThan } from './characters.ts';
import { type Fact, fact } from './fact.ts';
import {
  MAX_ABOUT_LENGTH,
  MAX_SELLER_LINK_LENGTH,
  MAX_SELLER_LINKS,
  MAX_SELLER_NAME_LENGTH,
} from './limits.ts';

// Each check says what is wrong with a value, or returns undefined where nothing is.

/** What the address of a seller's page ends with. */
const HANDLE = /^[a-z0-9](?:-?[a-z0-9])*$/;
const MIN_HANDLE_LENGTH = 3;
const MAX_HANDLE_LENGTH = 30;

/** What the short address of a link ends with, below the page's. */
const MAX_SHORT_NAME_LENGTH = 60;
/** There are, or may be, other things of the page at these. */
const TAKEN_NAMES = new Set(['card', 'feed', 'links', 'picture', 'pin', 'report']);

/** Under these a stranger could pass for the operator of the site, or for Padlink. */
const RESERVED = new Set([
  ...['abuse', 'account', 'accounts', 'admin', 'administrator', 'api', 'billing', 'checkout'],
  ...['contact', 'copyright', 'dashboard', 'dmca', 'explore', 'help', 'info', 'legal', 'login'],
  ...['mail', 'moderation', 'moderator', 'null', 'official', 'operator', 'operators', 'owner'],
  ...['padlink', 'password', 'payment', 'payments', 'payout', 'payouts', 'postmaster', 'privacy'],
  ...['purchases', 'refund', 'refunds', 'root', 'sandbox', 'security', 'seller', 'sellers'],
  ...['settings', 'staff', 'stripe', 'support', 'system', 'team', 'terms', 'undefined', 'verify'],
  ...['webmaster', 'www'],
]);

/** A seller name as it is kept. */
export function tidySellerName(name: string): string {
  return name.normalize('NFC').trim();
}

/** @param name tidy */
export function checkSellerName(name: string): Fact | undefined {
  if (isLongerThan(name, MAX_SELLER_NAME_LENGTH)) {
    return fact('The seller name is longer than {limit} characters.', {
      limit: MAX_SELLER_NAME_LENGTH,
    });
  }
  return holdsControls(name)
    ? fact('The seller name contains line breaks or invisible control characters.')
    : undefined;
}

/** A handle as it is kept: letters count the same in either case. */
export function tidyHandle(handle: string): string {
  return handle.trim().toLowerCase();
}

/** @param handle tidy */
export function checkHandle(handle: string): Fact | undefined {
  if (handle.length < MIN_HANDLE_LENGTH || handle.length > MAX_HANDLE_LENGTH) {
    return fact('The address of your page must have {min} to {max} characters.', {
      min: MIN_HANDLE_LENGTH,
      max: MAX_HANDLE_LENGTH,
    });
  }
  if (!HANDLE.test(handle)) {
    return fact('Use only letters from a to z, digits, and single hyphens between them.');
  }
  return RESERVED.has(handle) ? fact('This address is reserved. Choose another one.') : undefined;
}

/** @param name tidy, as a handle is */
export function checkShortName(name: string): Fact | undefined {
  if (name.length > MAX_SHORT_NAME_LENGTH) {
    return fact('A short address must have at most {limit} characters after your page’s.', {
      limit: MAX_SHORT_NAME_LENGTH,
    });
  }
  if (!HANDLE.test(name)) {
    return fact('Use only letters from a to z, digits, and single hyphens between them.');
  }
  return TAKEN_NAMES.has(name)
    ? fact('This short address is reserved. Choose another one.')
    : undefined;
}

/** @param about tidy */
export function checkAbout(about: string): Fact | undefined {
  if (isLongerThan(about, MAX_ABOUT_LENGTH)) {
    return fact('The text about you is longer than {limit} characters.', {
      limit: MAX_ABOUT_LENGTH,
    });
  }
  if (holdsControls(about.replaceAll('\n', ''))) {
    return fact('The text about you contains invisible control characters.');
  }
  return undefined;
}

/** Of the addresses that a seller's page leads to. */
export function checkSellerLinks(links: readonly string[]): Fact | undefined {
  if (links.length > MAX_SELLER_LINKS) {
    return fact('A page can have at most {limit} web addresses.', { limit: MAX_SELLER_LINKS });
  }
  return links.map(checkSellerLink).find((fault) => fault !== undefined);
}

function checkSellerLink(text: string): Fact | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') {
    return fact('Enter full web addresses that begin with https://, one on each line.');
  }
  if (url.username || url.password) return fact('A web address cannot contain a password.');
  // As stored: other scripts take more characters than were typed.
  if (url.href.length > MAX_SELLER_LINK_LENGTH) {
    return fact('A web address is longer than {limit} characters.', {
      limit: MAX_SELLER_LINK_LENGTH,
    });
  }
  return undefined;
}

import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { Said } from '../../../contract/fact.ts';
import { checkDevices } from '../../../contract/license-rules.ts';
import {
  checkCopies,
  checkDescription,
  checkLeast,
  checkPrice,
  checkTitle,
  checkUrl,
  type PriceTerms,
  tidyDescription,
  tidyTitle,
} from '../../../contract/link-rules.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readIsoTime } from '../../ground/lib/time.ts';

/** What a creator says of a link beside its content and price. */
export interface LinkDetails {
  /** How many are sold; 0 for any number. */
  copies?: number | null;
  /** ISO 8601; '' for no end. */
  until?: string | null;
  title?: string | null;
  description?: string | null;
  noindex?: boolean | null;
  unlisted?: boolean | null;
}

/**
 * What is given of these, as the row of the link keeps it.
 * @throws DomainError INVALID_INPUT, INVALID_TITLE, INVALID_DESCRIPTION
 */
export const keepDetails = (given: LinkDetails) => ({
  ...(given.copies != null && { copies: validateCopies(given.copies) }),
  ...(given.until != null && { sold_until: validateUntil(given.until) }),
  ...(given.title != null && { title: validateTitle(given.title) }),
  ...(given.description != null && { description: validateDescription(given.description) }),
  ...(given.noindex != null && { noindex: Number(given.noindex) }),
  ...(given.unlisted != null && { unlisted: Number(given.unlisted) }),
});

/** As it is kept, or null when there is none. @throws DomainError INVALID_TITLE */
export function validateTitle(text: string): string | null {
  const title = tidyTitle(text);
  refuseIf(checkTitle(title), 'INVALID_TITLE');
  return title || null;
}

/** @throws DomainError INVALID_PRICE unless the price is an integer of cents within the bounds */
export function validatePrice(priceCents: number, terms: PriceTerms): void {
  refuseIf(checkPrice(priceCents, terms), 'INVALID_PRICE');
}

/** Of the minimum price that buyers may name. @throws DomainError INVALID_PRICE */
export function validateLeast(
  leastCents: number,
  suggestedCents: number,
  terms: PriceTerms,
): number {
  refuseIf(checkLeast(leastCents, suggestedCents, terms), 'INVALID_PRICE');
  return leastCents;
}

function validateCopies(copies: number): number | null {
  refuseIf(checkCopies(copies), 'INVALID_INPUT');
  return copies || null;
}

/** On how many a license key may be used; 0 for any number. @throws DomainError INVALID_INPUT */
export function validateDevices(devices: number): number | null {
  refuseIf(checkDevices(devices), 'INVALID_INPUT');
  return devices || null;
}

/** In UTC milliseconds. */
function validateUntil(text: string): number | null {
  const time = text === '' ? null : readIsoTime(text);
  const fault = 'The end of the sale is written as 2026-11-30T00:00:00Z.';
  refuseIf(Number.isNaN(time) ? fault : undefined, 'INVALID_INPUT');
  return time;
}

/** As it is kept, or null when there is none. @throws DomainError INVALID_DESCRIPTION */
export function validateDescription(text: string): string | null {
  const description = tidyDescription(text);
  refuseIf(checkDescription(description), 'INVALID_DESCRIPTION');
  return description || null;
}

/**
 * The web address that a link of type 'link' sells, normalized.
 * @throws DomainError INVALID_URL unless it is http or https without credentials.
 */
export function validateTargetUrl(text: string): string {
  refuseIf(checkUrl(text), 'INVALID_URL');
  return new URL(text).href;
}

export function refuseIf(fault: Said | undefined, code: ErrorCode): void {
  if (fault) throw new DomainError(code, fault);
}

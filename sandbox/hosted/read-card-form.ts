import { isEmailAddress } from '../api/param-types.ts';
import type { CardDetails } from '../operations/create-payment-method.ts';
import { findTestCard } from '../test-cards.ts';

export type Field = 'email' | 'cardNumber' | 'expiry' | 'cvc';
export type FormValues = Record<Field, string>;
export type FieldErrors = Partial<FormValues>;

/** The form as typed; what is wrong with it, or else the card, if it is a test card. */
interface CardForm {
  values: FormValues;
  errors: FieldErrors;
  details: CardDetails | undefined;
}

export function readCardForm(body: unknown, now: Date): CardForm {
  const values: FormValues = {
    email: typed(body, 'email'),
    cardNumber: typed(body, 'cardNumber'),
    expiry: typed(body, 'expiry'),
    cvc: typed(body, 'cvc'),
  };
  const faults = {
    email: emailFault(values.email),
    cardNumber: numberFault(cardDigits(values.cardNumber)),
    expiry: expiryFault(values.expiry, now),
    cvc: cvcFault(values.cvc),
  };
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(faults).filter(([, fault]) => fault !== undefined),
  );
  return { values, errors, details: cardDetails(values) };
}

function typed(body: unknown, field: Field): string {
  const value = (body as Record<string, unknown> | undefined)?.[field];
  return typeof value === 'string' ? value.trim() : '';
}

function cardDetails({ cardNumber, email, expiry }: FormValues): CardDetails | undefined {
  const card = findTestCard(cardDigits(cardNumber));
  const read = readExpiry(expiry);
  return card && read && { card, email, expiryMonth: read.month, expiryYear: read.year };
}

function emailFault(email: string): string | undefined {
  if (email === '') return 'Your email is incomplete.';
  return isEmailAddress(email) ? undefined : 'Your email is invalid.';
}

function numberFault(digits: string): string | undefined {
  // The sandbox's own number for delayed payments does not pass the formula.
  if (findTestCard(digits)) return undefined;
  if (/^\d{0,11}$/.test(digits)) return 'Your card number is incomplete.';
  return /^\d{12,19}$/.test(digits) && passesLuhn(digits)
    ? undefined
    : 'Your card number is invalid.';
}

function expiryFault(expiry: string, now: Date): string | undefined {
  const read = readExpiry(expiry);
  if (!read) {
    const isIncomplete = expiry.replace(/\D/g, '').length < 4;
    return `Your card's expiration date is ${isIncomplete ? 'incomplete' : 'invalid'}.`;
  }
  return isPast(read, now) ? "Your card's expiration date is in the past." : undefined;
}

function cvcFault(cvc: string): string | undefined {
  if (/^\d{0,2}$/.test(cvc)) return "Your card's security code is incomplete.";
  return /^\d{3,4}$/.test(cvc) ? undefined : "Your card's security code is invalid.";
}

interface Expiry {
  month: number;
  year: number;
}

/** Reads `12/34`, `12 / 2034` or `1234`; undefined when it is none of these. */
function readExpiry(typed: string): Expiry | undefined {
  const match =
    /^(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})$/.exec(typed) ?? /^(\d{2})(\d{4}|\d{2})$/.exec(typed);
  if (!match) return undefined;
  const [, month, year] = match.map(Number) as [number, number, number];
  if (month < 1 || month > 12) return undefined;
  return { month, year: year < 100 ? 2000 + year : year };
}

/** A card is good until the end of its month. */
function isPast({ month, year }: Expiry, now: Date): boolean {
  return year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1;
}

/** The digits of a card number as people type it, with spaces or dashes. */
function cardDigits(typed: string): string {
  return typed.replace(/[\s-]/g, '');
}

/** Whether a card number's last digit fits the others (ISO/IEC 7812-1, the Luhn formula). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let position = 0; position < digits.length; position++) {
    const digit = Number(digits.at(-1 - position));
    const weighted = position % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

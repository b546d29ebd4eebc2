import { checkFirstName } from './check-first-name.ts';

/** What a user pool states of a person, as far as it may hold a first name. */
type Claims = Readonly<Record<string, unknown>>;

/**
 * The first name among the claims of a user pool: the product's own attribute, else the standard
 * one, else the first word of the whole name.
 * @returns undefined when none of them is a first name that could be typed into the sign-up form
 */
export function pickFirstName(claims: Claims): string | undefined {
  const candidates = [claims['custom:first_name'], claims.given_name, firstWord(claims.name)];
  for (const candidate of candidates) {
    const checked = checkFirstName(candidate);
    if ('value' in checked) return checked.value;
  }
  return undefined;
}

function firstWord(name: unknown): string | undefined {
  return typeof name === 'string' ? name.trim().split(/\s+/, 1)[0] : undefined;
}

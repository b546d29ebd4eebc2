import { isBlank } from '../../contract/characters.ts';

const MAX_LENGTH = 60;

/** Control characters, line ends and the invisible ones that turn the reading direction. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Anything an email client would turn into a link: the name appears in emails to any address. */
const ADDRESS = /[/\\@<>]|\bwww\.|\S\.\p{L}{2}/iu;

/**
 * Trims a first name.
 * @returns the name, or what is wrong with it.
 */
export function checkFirstName(input: unknown): { value: string } | { fault: string } {
  const value = typeof input === 'string' ? input.trim() : '';
  if (isBlank(value)) return { fault: 'First Name is required.' };
  if ([...value].length > MAX_LENGTH) {
    return { fault: `First Name can have at most ${MAX_LENGTH} characters.` };
  }
  if (UNPRINTABLE.test(value)) return { fault: 'First Name cannot contain control characters.' };
  if (ADDRESS.test(value)) return { fault: 'First Name cannot contain a web or email address.' };
  return { value };
}

/** What a user pool states about a person that may contain a first name. */
type Claims = Readonly<Record<string, unknown>>;

/**
 * The first name among the claims of a user pool: the product's own attribute, otherwise the
 * standard one, otherwise the first word of the full name.
 * @returns undefined if none of them would be accepted by the sign-up form
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

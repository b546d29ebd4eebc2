import { holdsControls, isBlank, isLongerThan } from '../../../contract/characters.ts';
import { type Fact, fact } from '../../../contract/fact.ts';

const MAX_LENGTH = 60;

/**
 * Tidies a first name, which is what a person says it is.
 * @returns the name, or what is wrong with it.
 */
export function checkFirstName(input: unknown): { value: string } | { fault: Fact } {
  const value = typeof input === 'string' ? input.normalize('NFC').trim() : '';
  if (isBlank(value)) return { fault: fact('First Name is required.') };
  if (isLongerThan(value, MAX_LENGTH)) {
    return {
      fault: fact('First Name can have at most {limit} characters.', { limit: MAX_LENGTH }),
    };
  }
  if (holdsControls(value)) return { fault: fact('First Name cannot contain control characters.') };
  return { value };
}

/**
 * The first name among the claims of a user pool: the product's own attribute, otherwise the
 * standard one, otherwise the first word of the full name.
 * @returns undefined if none of them would be accepted by the sign-up form
 */
export function pickFirstName(claims: Readonly<Record<string, unknown>>): string | undefined {
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

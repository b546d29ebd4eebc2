import { pickFirstName } from '../../domain/accounts/pick-first-name.ts';

/** The names of the account that a provider's claims describe; empty if they hold none. */
export function namesOf(claims: object) {
  const firstName = pickFirstName({ ...claims });
  return { firstName, name: firstName ?? '' };
}

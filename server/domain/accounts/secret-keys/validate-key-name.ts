import { MAX_KEY_NAME_LENGTH } from '../../../../contract/limits.ts';
import { DomainError } from '../../domain-error.ts';
import { holdsControls } from '../../holds-controls.ts';

/** The name without surrounding space. @throws DomainError INVALID_KEY_NAME */
export function validateKeyName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name === '') throw new DomainError('INVALID_KEY_NAME', 'Give the key a name.');
  if ([...name].length > MAX_KEY_NAME_LENGTH) {
    throw new DomainError(
      'INVALID_KEY_NAME',
      `The name is longer than ${MAX_KEY_NAME_LENGTH} characters.`,
    );
  }
  if (holdsControls(name)) {
    throw new DomainError('INVALID_KEY_NAME', 'The name holds invisible control characters.');
  }
  return name;
}

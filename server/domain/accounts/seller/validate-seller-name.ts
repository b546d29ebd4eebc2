import { MAX_SELLER_NAME_LENGTH } from '../../../../contract/limits.ts';
import { DomainError } from '../../domain-error.ts';
import { holdsControls } from '../../holds-controls.ts';

/**
 * The name without surrounding space, or null when it is taken back.
 * @throws DomainError INVALID_SELLER_NAME
 */
export function validateSellerName(text: string | null | undefined): string | null {
  const name = text?.normalize('NFC').trim() ?? '';
  if ([...name].length > MAX_SELLER_NAME_LENGTH) {
    throw new DomainError(
      'INVALID_SELLER_NAME',
      `The seller name is longer than ${MAX_SELLER_NAME_LENGTH} characters.`,
    );
  }
  if (holdsControls(name)) {
    throw new DomainError(
      'INVALID_SELLER_NAME',
      'The seller name holds line breaks or invisible control characters.',
    );
  }
  return name || null;
}

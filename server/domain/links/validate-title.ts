import { MAX_TITLE_LENGTH } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';
import { holdsControls } from '../holds-controls.ts';

/** The title without surrounding space, or null when there is none. @throws DomainError INVALID_TITLE */
export function validateTitle(text: string | null | undefined): string | null {
  const title = text?.normalize('NFC').trim() ?? '';
  if (title.length > MAX_TITLE_LENGTH) {
    throw new DomainError(
      'INVALID_TITLE',
      `The title is longer than ${MAX_TITLE_LENGTH} characters.`,
    );
  }
  if (holdsControls(title)) {
    throw new DomainError('INVALID_TITLE', 'The title holds invisible control characters.');
  }
  return title || null;
}

import { MAX_DESCRIPTION_LENGTH } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';
import { holdsControls } from '../holds-controls.ts';

/**
 * The description without surrounding space and with line breaks of one kind, or null when there
 * is none. @throws DomainError INVALID_DESCRIPTION
 */
export function validateDescription(text: string | null | undefined): string | null {
  const description =
    text
      ?.normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replaceAll('\t', ' ')
      .trim() ?? '';
  if ([...description].length > MAX_DESCRIPTION_LENGTH) {
    const limit = MAX_DESCRIPTION_LENGTH.toLocaleString('en-US');
    throw new DomainError(
      'INVALID_DESCRIPTION',
      `The description is longer than ${limit} characters.`,
    );
  }
  if (holdsControls(description.replaceAll('\n', ''))) {
    throw new DomainError(
      'INVALID_DESCRIPTION',
      'The description holds invisible control characters.',
    );
  }
  return description || null;
}

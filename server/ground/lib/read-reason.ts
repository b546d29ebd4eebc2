import { isBlank, isLongerThan } from '../../../contract/characters.ts';
import { fact } from '../../../contract/fact.ts';
import { MAX_REASON_LENGTH } from '../../../contract/limits.ts';
import { DomainError } from './domain-error.ts';

/** What an operator gives as the reason of an act. @throws DomainError INVALID_INPUT */
export function readReason(text: string): string {
  const reason = text.trim();
  if (isBlank(reason)) throw new DomainError('INVALID_INPUT', 'Give the reason, in a sentence.');
  if (isLongerThan(reason, MAX_REASON_LENGTH)) {
    throw new DomainError(
      'INVALID_INPUT',
      fact('The reason is longer than {limit} characters.', { limit: MAX_REASON_LENGTH }),
    );
  }
  return reason;
}

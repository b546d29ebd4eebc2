import { isBlank, isLongerThan } from '../../../contract/characters.ts';
import { fact } from '../../../contract/fact.ts';
import {
  isModerationReason,
  MAX_MODERATION_WORDS,
  MODERATION_REASONS,
  type ModerationReason,
} from '../../../contract/moderation.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';

/** @throws DomainError INVALID_INPUT for no words, or too many */
export function parseWords(text: string): string {
  const words = text.replace(/\r\n?/g, '\n').trim();
  if (!isBlank(words) && !isLongerThan(words, MAX_MODERATION_WORDS)) return words;
  throw new DomainError(
    'INVALID_INPUT',
    fact('Say why in 1 to {limit} characters.', { limit: MAX_MODERATION_WORDS }),
  );
}

/** @throws DomainError INVALID_INPUT for what is not on the list */
export function parseReason(text: string): ModerationReason {
  if (isModerationReason(text)) return text;
  const known = Object.keys(MODERATION_REASONS).join(', ');
  throw new DomainError('INVALID_INPUT', `The reason must be one of ${known}.`);
}

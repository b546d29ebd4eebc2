import { holdsControls, isLongerThan } from './characters.ts';
import { type Fact, fact } from './fact.ts';
import { MAX_CHOICE_LENGTH } from './limits.ts';

/** What a link is called among its choices. @param name tidy, as a title is */
export function checkChoice(name: string): Fact | undefined {
  if (name === '') return fact('Give each choice a name.');
  if (isLongerThan(name, MAX_CHOICE_LENGTH)) {
    return fact('The name of a choice is longer than {limit} characters.', {
      limit: MAX_CHOICE_LENGTH,
    });
  }
  if (holdsControls(name))
    return fact('The name of a choice contains invisible control characters.');
  return undefined;
}

import { describe, expect, test } from 'vitest';
import { CREATOR_STATES } from '../states/states.ts';
import { ALL_VIEWS } from './examine.ts';
import { useExamination } from './use-examination.ts';

describe('pages of creators: still, wide enough, easy to press, with all their styles, without axe violations in either theme', () => {
  const findFaults = useExamination(ALL_VIEWS);

  test.each(CREATOR_STATES)('$name', async (state) => {
    expect(await findFaults(state)).toEqual([]);
  });
});

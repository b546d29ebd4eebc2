import { describe, expect, test } from 'vitest';
import { MAIN_STATES } from '../states/states.ts';
import { ONE_VIEW } from './examine.ts';
import { useExamination } from './use-examination.ts';

describe('the main pages on a phone: still, wide enough, easy to press, with all their styles, without axe violations', () => {
  const findFaults = useExamination(ONE_VIEW);

  test.each(MAIN_STATES)('$name', async (state) => {
    expect(await findFaults(state)).toEqual([]);
  });
});

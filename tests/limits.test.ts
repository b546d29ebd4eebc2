import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../contract/limits.ts';
import { createLink, signUp } from './factories.ts';
import type { Person } from './person.ts';
import { useApp } from './use-app.ts';

describe('the longest texts that a creator can write', () => {
  const app = useApp();
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    // Each becomes five bytes in a page and six in the data beneath it.
    const longest = {
      title: '&<'.repeat(MAX_TITLE_LENGTH / 2),
      description: '&<'.repeat(MAX_DESCRIPTION_LENGTH / 2),
    };
    for (let number = 0; number < 50; number++) {
      const url = `https://example.com/${number}`;
      await createLink(seller, { type: 'link', url, ...longest });
    }
  });

  test.each(['/dashboard', '/explore', '/explore.atom'])(
    'leave %s within the bound of an answer',
    async (path) => {
      const answer = await seller.fetch(path);
      expect(answer.status).toBe(200);
      expect((await answer.text()).length).toBeGreaterThan(100_000);
    },
  );
});

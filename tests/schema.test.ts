import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DESCRIPTIONS } from '../scripts/describe-schema.ts';

test.each(Object.entries(DESCRIPTIONS))(
  'contract/%s is what the code says (npm run schema)',
  (name, text) => {
    const printed = readFileSync(new URL(`../contract/${name}`, import.meta.url), 'utf8');
    expect(printed).toBe(text);
  },
);

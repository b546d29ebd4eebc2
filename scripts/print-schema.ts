import { writeFileSync } from 'node:fs';
import { DESCRIPTIONS } from './describe-schema.ts';

for (const [name, text] of Object.entries(DESCRIPTIONS)) {
  writeFileSync(new URL(`../contract/${name}`, import.meta.url), text);
}

import { writeFileSync } from 'node:fs';
import { describeSettings } from './describe-settings.ts';

writeFileSync(new URL('../docs/settings.md', import.meta.url), describeSettings());

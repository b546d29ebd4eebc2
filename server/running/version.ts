import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');

/** Of this product, as its package names it. */
export const VERSION = (JSON.parse(manifest) as { version: string }).version;

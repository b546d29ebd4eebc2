import { readFileSync } from 'node:fs';
import type { Fault } from './fault.ts';

type Values = Record<string, string | undefined>;

/**
 * The values of the named settings: NAME_FILE names a file that holds NAME, for secrets. An empty
 * value counts as absent.
 */
export function readSecretFiles(
  names: readonly string[],
  environment: Values,
): { values: Values; faults: Fault[] } {
  const values: Values = {};
  const faults: Fault[] = [];
  for (const name of names) {
    const value = environment[name];
    const file = environment[`${name}_FILE`];
    // The one setting whose empty value means something: the page has no checkout then.
    if (value || (value === '' && name === 'CHECKOUT_API_ENDPOINT')) values[name] = value;
    if (!file) continue;
    if (value) {
      faults.push({ name: `${name}_FILE`, message: `contradicts ${name}; remove one of them` });
      continue;
    }
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const message = `cannot read ${file} (${code}); correct the path or who may read it`;
      faults.push({ name: `${name}_FILE`, message });
    }
  }
  return { values, faults };
}

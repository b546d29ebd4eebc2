import { holdsControls } from './characters.ts';
import { type Fact, fact } from './fact.ts';
import {
  MAX_LICENSE_DEVICES,
  MAX_LICENSE_KEY_LENGTH,
  MAX_LICENSE_KEYS_AT_ONCE,
  MIN_LICENSE_KEY_LENGTH,
} from './limits.ts';

/** License keys as a seller pastes them, one a line: each once, in their order. */
export const readLicenseKeys = (pasted: string): string[] => [
  ...new Set(
    pasted
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

/** What is wrong with license keys of a seller's own; undefined where nothing is. */
export function checkLicenseKeys(keys: string[]): Fact | undefined {
  if (keys.length === 0) return fact('Paste at least one license key.');
  if (keys.length > MAX_LICENSE_KEYS_AT_ONCE) {
    return fact('Add up to {limit} license keys at a time.', { limit: MAX_LICENSE_KEYS_AT_ONCE });
  }
  if (keys.some(holdsControls)) {
    return fact(
      'License keys cannot contain tabs or control characters. Paste only the keys, one per line.',
    );
  }
  const bad = keys.find(
    (key) => key.length < MIN_LICENSE_KEY_LENGTH || key.length > MAX_LICENSE_KEY_LENGTH,
  );
  if (bad === undefined) return undefined;
  return fact('A license key has {least} to {limit} characters. This one does not: “{key}”.', {
    least: MIN_LICENSE_KEY_LENGTH,
    limit: MAX_LICENSE_KEY_LENGTH,
    key: bad.slice(0, MAX_LICENSE_KEY_LENGTH),
  });
}

/** Of how many devices a license key may be used on; 0 stands for any number. */
export function checkDevices(devices: number): Fact | undefined {
  if (Number.isInteger(devices) && devices >= 0 && devices <= MAX_LICENSE_DEVICES) return undefined;
  return fact('The number of devices must be from 1 to {limit}.', { limit: MAX_LICENSE_DEVICES });
}

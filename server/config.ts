import { assemble } from './config/assemble.ts';
import type { Config } from './config/config.ts';
import type { Fault } from './config/fault.ts';
import { findContradictions } from './config/find-contradictions.ts';
import { readSecretFiles } from './config/read-secret-files.ts';
import { readSettings } from './config/read-settings.ts';
import { FIELDS, type Settings } from './config/settings.ts';

export type { Config };

export type Environment = Record<string, string | undefined>;

/** Carries every fault of the environment at once, one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Named in the interface but not built yet: refused aloud rather than ignored. */
const NOT_YET = ['S3_BUCKET', 'CLAMD_SOCKET', 'STRIPE_CONNECT_WEBHOOK_SECRET'];

/**
 * Turns the environment into the typed configuration.
 * @throws ConfigError listing every fault at once.
 */
export function readConfig(environment: Environment): Config {
  const { values, faults } = readSecretFiles([...Object.keys(FIELDS), ...NOT_YET], environment);
  const read = readSettings(values);
  faults.push(...read.faults);
  const faulty = new Set(faults.map(({ name }) => name.replace(/_FILE$/, '')));
  faults.push(...findContradictions(read.settings, faulty));
  for (const name of NOT_YET) {
    if (values[name]) faults.push({ name, message: 'not supported by this version; remove it' });
  }
  if (faults.length > 0) throw refusal(faults);
  // Every setting could be read.
  const settings = read.settings as Settings;
  return assemble(
    settings,
    new URL(settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).origin,
  );
}

function refusal(faults: Fault[]): ConfigError {
  const lines = faults.map(({ name, message }) => `- ${name}: ${message}`);
  return new ConfigError(`Padlink cannot start with this configuration:\n${lines.join('\n')}`);
}

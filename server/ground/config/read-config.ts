import { readFileSync } from 'node:fs';
import { assemble, type Config } from './config.ts';
import { type Fault, FIELDS, LOOPBACK, type SettingName, type Settings } from './settings.ts';

export type { Config };

export type Environment = Record<string, string | undefined>;

/** Carries every error in the environment at once, one per line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ name, message }) => `- ${name}: ${message}`);
    super(`Padlink cannot start with this configuration:\n${lines.join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Turns the environment into the typed configuration.
 * @throws ConfigError listing every error at once.
 */
export function readConfig(environment: Environment): Config {
  const { values, faults } = readSecretFiles(environment);
  const read = readSettings(values);
  faults.push(...read.faults);
  const faulty = new Set(faults.map(({ name }) => name.replace(/_FILE$/, '')));
  faults.push(...findContradictions(read.settings, faulty));
  if (faults.length > 0) throw new ConfigError(faults);
  // All settings could be read.
  const settings = read.settings as Settings;
  return assemble(
    settings,
    new URL(settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).origin,
  );
}

/** Reads each setting by itself, so that an error in one does not hide errors in others. */
function readSettings(values: Environment): { settings: Partial<Settings>; faults: Fault[] } {
  const settings: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const name of Object.keys(FIELDS) as SettingName[]) {
    const { schema, must } = FIELDS[name];
    const read = schema.safeParse(values[name]);
    if (read.success) settings[name] = read.data;
    else faults.push({ name, message: must });
  }
  return { settings: settings as Partial<Settings>, faults };
}

/**
 * The values of the settings: NAME_FILE is the path of a file that contains NAME, for
 * secrets. An empty value counts as absent.
 */
function readSecretFiles(environment: Environment): { values: Environment; faults: Fault[] } {
  const values: Environment = {};
  const faults: Fault[] = [];
  for (const name of Object.keys(FIELDS)) {
    const value = environment[name];
    const file = environment[`${name}_FILE`];
    // The one setting whose empty value has a meaning: the page then has no checkout.
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
      const message = `cannot read ${file} (${code}); correct the path or the file's permissions`;
      faults.push({ name: `${name}_FILE`, message });
    }
  }
  return { values, faults };
}

/** `because`: the other settings that it depends on. */
type Contradiction = Fault & { name: SettingName; because: readonly SettingName[] };

/** Settings that must be given together. */
const TOGETHER = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
] as const satisfies SettingName[][];

/**
 * What does not fit together among the settings that could be read. Nothing is concluded from a
 * setting that is wrong itself, except that it is given.
 */
function findContradictions(settings: Partial<Settings>, faulty: ReadonlySet<string>): Fault[] {
  const isGiven = (name: SettingName) => faulty.has(name) || Boolean(settings[name]);
  const found = [
    ...inPayments(settings),
    ...inPayouts(settings),
    ...TOGETHER.flatMap((names) => inGroup(names, isGiven)),
    ...inSignIn(settings),
    ...inPlace(settings),
  ];
  return found
    .filter(({ name, because }) => ![name, ...because].some((one) => faulty.has(one)))
    .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);
}

function* inPayments(settings: Partial<Settings>): Generator<Contradiction> {
  const { PAYMENTS, STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = settings;
  const because = ['PAYMENTS', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
  if (PAYMENTS === 'sandbox' && key) {
    const message = 'contradicts PAYMENTS=sandbox; remove one of them';
    yield { name: 'STRIPE_SECRET_KEY', message, because };
  } else if (key && !secret) {
    const message =
      'missing; STRIPE_SECRET_KEY requires it. “stripe setup” creates the webhook endpoint and prints it';
    yield { name: 'STRIPE_WEBHOOK_SECRET', message, because };
  } else if (!key && (PAYMENTS === 'stripe' || (secret && PAYMENTS !== 'sandbox'))) {
    const message = 'missing; payments through Stripe require it. Copy it from your account';
    yield { name: 'STRIPE_SECRET_KEY', message, because };
  }
}

function* inPayouts(settings: Partial<Settings>): Generator<Contradiction> {
  const { PAYOUTS, OPERATOR_EMAILS, PAYOUT_COST_CENTS, PAYOUT_MIN_CENTS } = settings;
  if (PAYOUTS === 'solo' && OPERATOR_EMAILS?.length === 0) {
    const message = 'missing; PAYOUTS=solo requires it. Set the email address you sign in with';
    yield { name: 'OPERATOR_EMAILS', message, because: ['PAYOUTS'] };
  }
  if (PAYOUTS === 'connect' && settings.STRIPE_SECRET_KEY) {
    const secrets = ['STRIPE_CONNECT_WEBHOOK_SECRET', 'STRIPE_THIN_WEBHOOK_SECRET'] as const;
    for (const name of secrets.filter((secret) => !settings[secret])) {
      const message =
        'missing; PAYOUTS=connect requires it. “stripe setup” creates the webhook endpoint and prints it';
      yield { name, message, because: ['PAYOUTS', 'STRIPE_SECRET_KEY'] };
    }
  }
  if (PAYOUT_COST_CENTS === undefined || PAYOUT_MIN_CENTS === undefined) return;
  if (PAYOUT_COST_CENTS >= PAYOUT_MIN_CENTS) {
    const message = 'must be more than PAYOUT_COST_CENTS, or nothing would be left of a payout';
    yield { name: 'PAYOUT_MIN_CENTS', message, because: ['PAYOUT_COST_CENTS'] };
  }
}

function inGroup(
  names: readonly SettingName[],
  isGiven: (name: SettingName) => boolean,
): Contradiction[] {
  const missing = names.filter((name) => !isGiven(name));
  if (missing.length === names.length) return [];
  const group = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const message = `missing; ${group} go together. Set all of them or none`;
  return missing.map((name) => ({ name, message, because: [] }));
}

function* inSignIn(settings: Partial<Settings>): Generator<Contradiction> {
  if (settings.OIDC_ONLY !== 'true') return;
  if (!settings.OIDC_ISSUER) {
    const message = 'missing; OIDC_ONLY=true requires it. Set it or remove OIDC_ONLY';
    yield { name: 'OIDC_ISSUER', message, because: [] };
  }
  for (const name of ['GOOGLE_CLIENT_ID', 'GITHUB_CLIENT_ID'] as const) {
    const message = 'contradicts OIDC_ONLY=true; remove one of them';
    if (settings[name]) yield { name, message, because: [] };
  }
}

/**
 * What is required of a server that consists of several processes or can be reached by strangers.
 */
function* inPlace(settings: Partial<Settings>): Generator<Contradiction> {
  if (settings.DATABASE_URL && !settings.APP_SECRET) {
    const message =
      'missing; DATABASE_URL requires it so that every process has the same. Set 32 or more random characters';
    yield { name: 'APP_SECRET', message, because: [] };
  }
  if (settings.DOWNLOAD_ACCEL && settings.S3_BUCKET) {
    const message = 'contradicts S3_BUCKET, where no nginx finds the files; remove one of them';
    yield { name: 'DOWNLOAD_ACCEL', message, because: ['S3_BUCKET'] };
  }
  const { PUBLIC_URL: publicUrl, PAYMENTS } = settings;
  if (!publicUrl || LOOPBACK.has(new URL(publicUrl).hostname)) return;
  if (!settings.SMTP_URL) {
    const lost = settings.OIDC_ONLY === 'true' ? 'get a receipt' : 'confirm an email address';
    const message = `missing; a public PUBLIC_URL requires it, or nobody could ${lost}. Set your mail server`;
    yield { name: 'SMTP_URL', message, because: ['OIDC_ONLY'] };
  }
  if (!settings.STRIPE_SECRET_KEY && PAYMENTS === undefined) {
    const message =
      'missing; a public PUBLIC_URL requires payments. Set it, or PAYMENTS=sandbox to try things out';
    yield { name: 'STRIPE_SECRET_KEY', message, because: ['PAYMENTS'] };
  }
}

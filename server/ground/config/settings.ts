import { compile } from '@fastify/proxy-addr';
import { z } from 'zod';
import { holdsControls, isLongerThan } from '../../../contract/characters.ts';
import { MAX_HOLD_DAYS, PROVIDER_MAX_CENTS } from '../../../contract/limits.ts';
import { COUNTER_TARGETS } from '../../../contract/runtime-config.ts';
import { canonicalAddress } from '../lib/canonical-address.ts';
import { listServers } from '../lib/database-servers.ts';
import { openLogo } from './logo.ts';

/** How a setting is read, and what to say if it is anything else. */
interface Field<Schema extends z.ZodType> {
  schema: Schema;
  must: string;
}

const field = <Schema extends z.ZodType>(schema: Schema, must: string): Field<Schema> => ({
  schema,
  must,
});

function integer(minimum: number, maximum: number, standard: number) {
  const schema = z.coerce.number().int().min(minimum).max(maximum).default(standard);
  return field(schema, `must be a whole number from ${minimum} to ${maximum}`);
}

function oneOf<const Choice extends string>(choices: readonly Choice[], standard: Choice) {
  return field(z.enum(choices).default(standard), `must be ${inWords(choices)}`);
}

function optionalInteger(minimum: number, maximum: number) {
  const schema = z.coerce.number().int().min(minimum).max(maximum).optional();
  return field(schema, `must be a whole number from ${minimum} to ${maximum}`);
}

function amount(of: string) {
  const { schema } = optionalInteger(0, Number.MAX_SAFE_INTEGER);
  return field(schema, `must be a whole number of ${of}`);
}

const matching = (pattern: RegExp, must: string) =>
  field(z.string().regex(pattern).optional(), must);

function urlWhere(isRight: (address: string) => boolean, must: string, protocol = /^https?$/) {
  return field(z.url({ protocol }).refine(isRight).optional(), must);
}

const isWithin = (most: number) => (text: string) => !isLongerThan(text, most);

const inWords = (choices: readonly string[]) =>
  `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
const text = () => field(z.string().optional(), 'must be text');
const secret = () =>
  field(z.string().min(32).optional(), 'must have at least 32 characters; use a longer one');

const signingSecret = (which: string) =>
  field(
    z.string().startsWith('whsec_').optional(),
    `must start with whsec_; copy the signing secret from the webhook endpoint${which}`,
  );

/** Every setting of the environment. */
export const FIELDS = {
  HOST: text(),
  PORT: integer(1, 65_535, 3000),
  PUBLIC_URL: urlWhere(
    isOrigin,
    'must be an origin such as https://pay.example.com, without a path',
  ),
  DATA_DIR: field(z.string().default('./data'), 'must be a folder'),
  DATABASE_URL: field(
    z.string().refine(isDatabase).optional(),
    'must be an address such as postgres://user:password@host:5432/database, of a primary and its standbys postgres://user:password@one:5432,two:5432/database, with special characters in the password percent-encoded (%40 for @); sslmode is one of disable, prefer, require, verify-ca, verify-full and no-verify',
  ),
  PAYMENTS: field(z.enum(['sandbox', 'stripe']).optional(), 'must be sandbox or stripe'),
  SANDBOX_PORT: integer(0, 65_535, 0),
  STRIPE_SECRET_KEY: matching(
    /^(sk|rk)_(test|live)_/,
    'must start with sk_test_, sk_live_, rk_test_ or rk_live_; copy the secret key from your account',
  ),
  STRIPE_WEBHOOK_SECRET: signingSecret(''),
  STRIPE_CALLS_PER_SECOND: optionalInteger(1, 10_000),
  STRIPE_CONNECT_WEBHOOK_SECRET: signingSecret(' for events of connected accounts'),
  STRIPE_THIN_WEBHOOK_SECRET: signingSecret(' for thin events'),
  SMTP_URL: urlWhere(
    hasHost,
    'must be an address such as smtps://user:password@mail.example.com, with special characters in the password percent-encoded (%40 for @)',
    /^smtps?$/,
  ),
  MAIL_FROM: field(
    z.string().includes('@').optional(),
    'must be a sender such as Padlink <pay@example.com>',
  ),
  MAIL_REPLY_TO: field(z.email().optional(), 'must be an email address such as help@example.com'),
  OIDC_ISSUER: urlWhere(
    isConfidential,
    'must be an address that starts with https://, except on this machine',
  ),
  OIDC_CLIENT_ID: text(),
  OIDC_CLIENT_SECRET: text(),
  OIDC_NAME: field(
    z.string().trim().min(1).refine(isWithin(40)).default('your organization'),
    'must be a name of at most 40 characters',
  ),
  OIDC_ONLY: oneOf(['true', 'false'], 'false'),
  GOOGLE_CLIENT_ID: text(),
  GOOGLE_CLIENT_SECRET: text(),
  GITHUB_CLIENT_ID: text(),
  GITHUB_CLIENT_SECRET: text(),
  PLATFORM_FEE_PERCENT: field(
    z.coerce.number().min(0).max(100).multipleOf(0.01).default(5),
    'must be a number from 0 to 100 with at most two decimals',
  ),
  PLATFORM_FEE_FIXED_CENTS: integer(0, 10_000, 30),
  REFUND_COST: oneOf(['platform', 'creator'], 'platform'),
  DISPUTE_FEE: oneOf(['platform', 'creator'], 'platform'),
  PAYOUTS: field(
    z.enum(['solo', 'manual', 'connect']).optional(),
    'must be solo, manual or connect',
  ),
  PAYOUT_MIN_CENTS: integer(1, PROVIDER_MAX_CENTS, 2_500),
  PAYOUT_COST_CENTS: integer(0, 10_000, 25),
  HOLD_DAYS: integer(0, MAX_HOLD_DAYS, 7),
  TAX: oneOf(['off', 'stripe'], 'off'),
  CHECKOUT_DOMAIN: field(
    z
      .hostname()
      .refine((name) => name.includes('.'))
      .optional(),
    'must be a host name such as pay.example.com, without https:// and without a path',
  ),
  MIN_PRICE_CENTS: integer(1, PROVIDER_MAX_CENTS, 1),
  MAX_FILE_BYTES: integer(1, Number.MAX_SAFE_INTEGER, 5 * 1024 ** 3),
  ACCOUNT_QUOTA_BYTES: integer(1, Number.MAX_SAFE_INTEGER, 100 * 1024 ** 3),
  QUOTA_LINKS: amount('links'),
  QUOTA_UPLOADS_A_DAY: amount('uploads'),
  MIN_FREE_DISK_BYTES: amount('bytes'),
  TRUSTED_PROXIES: field(
    z.string().transform(splitList).refine(areProxies).default([]),
    'must be comma-separated addresses or ranges, such as 127.0.0.1,10.0.0.0/8; host names are not looked up',
  ),
  CHECKOUT_API_ENDPOINT: text(),
  S3_ENDPOINT: urlWhere(
    (address) => isOrigin(address) && isConfidential(address),
    'must be an origin such as https://s3.eu-central-1.amazonaws.com, without the bucket; it starts with https:// except on this machine',
  ),
  S3_REGION: text(),
  S3_BUCKET: matching(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'must be the name of a bucket, such as padlink-files',
  ),
  S3_ACCESS_KEY_ID: text(),
  S3_SECRET_ACCESS_KEY: text(),
  S3_DELIVERY: oneOf(['direct', 'proxy'], 'direct'),
  CLAMD_SOCKET: matching(
    /^(\/.+|[^/\s]+:\d{1,5})$/,
    'must be the path of clamd’s socket, such as /run/clamav/clamd.ctl, or host:port',
  ),
  WEBHOOK_ALLOW_PRIVATE: oneOf(['true', 'false'], 'false'),
  DOWNLOAD_ACCEL: matching(
    /^\/.+\/$/,
    'must be a location such as /protected/, with a slash at both ends',
  ),
  SIGN_UP: oneOf(['open', 'invite', 'closed'], 'open'),
  OPERATOR_EMAILS: field(
    z
      .string()
      .transform((text) => splitList(text).map(canonicalAddress))
      .pipe(z.array(z.email()))
      .default([]),
    'must be comma-separated email addresses, such as ada@example.com,bob@example.com',
  ),
  SERVICE_KEY: field(
    z
      .string()
      .min(32)
      .regex(/^(?!pk_)/)
      .optional(),
    'must have at least 32 characters and not begin with pk_, as publishable keys do; use another one',
  ),
  SITE_NAME: field(
    z.string().trim().refine(isSiteName).optional(),
    'must have at most 30 characters in one line',
  ),
  SITE_LOGO: field(
    z.string().transform(readLogo).optional(),
    'must be the path of an SVG, PNG or WebP file of at most 100 KiB',
  ),
  ACCENT_COLOR: field(
    z
      .string()
      .toLowerCase()
      .regex(/^#[\da-f]{6}$/)
      .optional(),
    'must be a color such as #1d6fd8',
  ),
  SUPPORT_EMAIL: field(z.email().optional(), 'must be an email address'),
  LANDING_COUNTERS: field(
    z
      .string()
      .regex(/^\d{1,9},\d{1,9},\d{1,9}$/)
      .default(COUNTER_TARGETS.join()),
    'must be three numbers, such as 1000,2500,500',
  ),
  OPERATOR_NAME: field(
    z.string().trim().refine(isWithin(200)).optional(),
    'must have at most 200 characters',
  ),
  OPERATOR_ADDRESS: field(
    z.string().trim().refine(isWithin(1_000)).optional(),
    'must have at most 1,000 characters',
  ),
  APP_SECRET: secret(),
  SHUTDOWN_DELAY_SECONDS: integer(0, 300, 0),
  METRICS_TOKEN: secret(),
  METRICS_PORT: optionalInteger(1, 65_535),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlWhere(
    URL.canParse,
    'must be the address of a collector such as http://127.0.0.1:4318',
  ),
  OTEL_SERVICE_NAME: field(z.string().trim().min(1).default('padlink'), 'must not be empty'),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug'], 'info'),
} satisfies Record<string, Field<z.ZodType>>;

export type SettingName = keyof typeof FIELDS;

export type Settings = {
  [Name in SettingName]: z.output<(typeof FIELDS)[Name]['schema']>;
};

function splitList(listed: string): string[] {
  return listed
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function isSiteName(name: string): boolean {
  return isWithin(30)(name) && !holdsControls(name);
}

function readLogo(path: string, context: z.RefinementCtx) {
  const logo = openLogo(path);
  if (logo) return logo;
  context.addIssue('no logo');
  return z.NEVER;
}

/** In the form the server will read them. */
function areProxies(addresses: string[]): boolean {
  try {
    compile(addresses);
    return true;
  } catch {
    return false;
  }
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

function hasHost(address: string): boolean {
  return Boolean(URL.parse(address)?.hostname);
}

/** A socket's folder may be in the query, with no host before it. */
function isDatabase(address: string): boolean {
  const urls = listServers(address).map((server) => URL.parse(server));
  return urls.every((url) => {
    const mode = url?.searchParams.get('sslmode');
    return (
      /^postgres(ql)?:$/.test(url?.protocol ?? '') && (mode == null || SSL_MODES.includes(mode))
    );
  });
}

function isOrigin(address: string): boolean {
  const url = URL.parse(address);
  return url?.pathname === '/' && !url.search && !url.hash && !url.username;
}

/** Whether nobody on the way can read what is sent there. */
function isConfidential(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || LOOPBACK.has(url?.hostname ?? '');
}

/**
 * What is wrong with one setting, and what to do about it. Never contains the value, which may be
 * secret.
 */
export interface Fault {
  name: string;
  message: string;
}

/** Host names of this machine, as URL writes them. */
export const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

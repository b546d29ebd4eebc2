import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { COUNTER_TARGETS } from '../contract/landing.ts';
import { PROVIDER_MAX_CENTS, PROVIDER_MIN_CENTS } from '../contract/limits.ts';
import type { FeeRate } from '../contract/money.ts';

export interface Config {
  host: string;
  port: number;
  /** Origin without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  database: { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };
  payments:
    | { kind: 'sandbox'; port: number; webhookSecret: string | null }
    | { kind: 'stripe'; secretKey: string; webhookSecret: string; live: boolean };
  mail: { kind: 'mailbox' } | { kind: 'smtp'; url: string; from: string };
  /** Accounts of an OIDC provider, and the label of its button; `only`: the one way to sign in. */
  userPool: (ClientCredentials & { issuer: string; name: string; only: boolean }) | null;
  socialSignIn: { google?: ClientCredentials; github?: ClientCredentials };
  fee: FeeRate;
  /** Who pays what the provider keeps of a refunded sale. */
  refundCost: 'platform' | 'creator';
  /** Origin of the provider's custom checkout domain. */
  checkoutOrigin: string | null;
  /** Cents. */
  minimumPriceCents: number;
  maxFileBytes: number;
  /** Addresses or ranges whose X-Forwarded-For is believed, as proxy-addr reads them. */
  trustedProxies: string[];
  /** What the page is told of its checkout; empty when an operator left it out. */
  checkoutApiEndpoint: string;
  /** An internal nginx location that maps to the blob folder, e.g. "/protected/". */
  downloadAccel: string | null;
  operatorEmails: string[];
  serviceKey: string | null;
  supportEmail: string | null;
  /** What the landing page counts up to: users, links, payouts. */
  landingCounters: [number, number, number];
  /** Who runs the site, as the legal pages name them; the address may have several lines. */
  operator: { name: string | null; address: string | null };
  /** Null: generated into the data folder. */
  appSecret: string | null;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** What a provider of accounts knows this product by. */
interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

export type Environment = Record<string, string | undefined>;

/** Carries every fault of the environment at once, one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const integer = (minimum: number, maximum: number) =>
  z.coerce.number().int().min(minimum).max(maximum);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const environmentSchema = z.object({
  HOST: z.string().optional(),
  PORT: integer(1, 65_535).default(3000),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => isOrigin(url), 'must be an origin such as https://pay.example.com, no path')
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PAYMENTS: z.enum(['sandbox', 'stripe']).optional(),
  SANDBOX_PORT: integer(0, 65_535).default(0),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_/, 'must begin with sk_test_, sk_live_, rk_test_ or rk_live_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((url) => isConfidential(url), 'must begin with https://, except on this machine')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().min(1).max(40).default('your organization'),
  OIDC_ONLY: z.enum(['true', 'false']).default('false'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  PLATFORM_FEE_PERCENT: z.coerce.number().min(0).max(100).multipleOf(0.01).default(5),
  PLATFORM_FEE_FIXED_CENTS: integer(0, 10_000).default(30),
  REFUND_COST: z.enum(['platform', 'creator']).default('platform'),
  CHECKOUT_DOMAIN: z
    .hostname()
    .refine((name) => name.includes('.'), 'must be a host name such as pay.example.com')
    .optional(),
  MIN_PRICE_CENTS: integer(PROVIDER_MIN_CENTS, PROVIDER_MAX_CENTS).default(100),
  MAX_FILE_BYTES: integer(1, Number.MAX_SAFE_INTEGER).default(5 * 1024 ** 3),
  TRUSTED_PROXIES: list.default([]),
  CHECKOUT_API_ENDPOINT: z.string().optional(),
  DOWNLOAD_ACCEL: z
    .string()
    .regex(/^\/.+\/$/, 'must look like /protected/')
    .optional(),
  OPERATOR_EMAILS: list.default([]),
  SERVICE_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SUPPORT_EMAIL: z.email().optional(),
  LANDING_COUNTERS: z
    .string()
    .regex(/^\d{1,9},\d{1,9},\d{1,9}$/, 'must be three numbers, such as 1000,2500,500')
    .default(COUNTER_TARGETS.join()),
  OPERATOR_NAME: z.string().trim().max(200).optional(),
  OPERATOR_ADDRESS: z.string().trim().max(1_000).optional(),
  APP_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

type Settings = z.output<typeof environmentSchema>;

/** Settings of which all are given, or none. */
const TOGETHER = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
] as const satisfies (keyof Settings)[][];

/** Named in the interface but not built yet: refused aloud rather than ignored. */
const NOT_YET = ['S3_BUCKET', 'CLAMD_SOCKET', 'STRIPE_CONNECT_WEBHOOK_SECRET'];

/**
 * Turns the environment into the typed configuration.
 * @throws ConfigError listing every fault at once.
 */
export function readConfig(environment: Environment): Config {
  const { values, faults: fileFaults } = readSecretFiles(environment);
  const parsed = environmentSchema.safeParse(values);
  if (!parsed.success || fileFaults.length > 0) {
    const faults = parsed.success ? [] : parsed.error.issues.map(describeIssue);
    throw refusal([...fileFaults, ...faults]);
  }
  const settings = parsed.data;
  const publicUrl = new URL(settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`);
  const faults = contradictions(settings, publicUrl);
  for (const name of NOT_YET) {
    if (values[name]) faults.push(`${name}: not supported by this version; remove it`);
  }
  if (faults.length > 0) throw refusal(faults);
  return assemble(settings, publicUrl.origin);
}

function assemble(settings: Settings, publicUrl: string): Config {
  const dataDir = resolve(settings.DATA_DIR);
  return {
    host: settings.HOST ?? (settings.PUBLIC_URL ? '0.0.0.0' : '127.0.0.1'),
    port: settings.PORT,
    publicUrl,
    dataDir,
    database: settings.DATABASE_URL
      ? { kind: 'postgres', url: settings.DATABASE_URL }
      : { kind: 'sqlite', file: join(dataDir, 'padlink.sqlite') },
    payments: assemblePayments(settings),
    mail:
      settings.SMTP_URL && settings.MAIL_FROM
        ? { kind: 'smtp', url: settings.SMTP_URL, from: settings.MAIL_FROM }
        : { kind: 'mailbox' },
    userPool: assembleUserPool(settings),
    socialSignIn: {
      google: credentials(settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET),
      github: credentials(settings.GITHUB_CLIENT_ID, settings.GITHUB_CLIENT_SECRET),
    },
    fee: {
      basisPoints: Math.round(settings.PLATFORM_FEE_PERCENT * 100),
      fixedCents: settings.PLATFORM_FEE_FIXED_CENTS,
    },
    refundCost: settings.REFUND_COST,
    checkoutOrigin: settings.CHECKOUT_DOMAIN ? `https://${settings.CHECKOUT_DOMAIN}` : null,
    minimumPriceCents: settings.MIN_PRICE_CENTS,
    maxFileBytes: settings.MAX_FILE_BYTES,
    trustedProxies: settings.TRUSTED_PROXIES,
    checkoutApiEndpoint: settings.CHECKOUT_API_ENDPOINT ?? `${publicUrl}/prod/`,
    downloadAccel: settings.DOWNLOAD_ACCEL ?? null,
    operatorEmails: settings.OPERATOR_EMAILS,
    serviceKey: settings.SERVICE_KEY ?? null,
    supportEmail: settings.SUPPORT_EMAIL ?? null,
    landingCounters: settings.LANDING_COUNTERS.split(',').map(Number) as [number, number, number],
    operator: {
      name: settings.OPERATOR_NAME ?? null,
      address: settings.OPERATOR_ADDRESS ?? null,
    },
    appSecret: settings.APP_SECRET ?? null,
    logLevel: settings.LOG_LEVEL,
  };
}

function assemblePayments(settings: Settings): Config['payments'] {
  if (settings.STRIPE_SECRET_KEY && settings.STRIPE_WEBHOOK_SECRET) {
    return {
      kind: 'stripe',
      secretKey: settings.STRIPE_SECRET_KEY,
      webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
      live: settings.STRIPE_SECRET_KEY.includes('_live_'),
    };
  }
  return {
    kind: 'sandbox',
    port: settings.SANDBOX_PORT,
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? null,
  };
}

function assembleUserPool(settings: Settings): Config['userPool'] {
  const client = credentials(settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET);
  if (!settings.OIDC_ISSUER || !client) return null;
  const { OIDC_ISSUER: issuer, OIDC_NAME: name, OIDC_ONLY } = settings;
  return { ...client, issuer, name, only: OIDC_ONLY === 'true' };
}

function credentials(clientId?: string, clientSecret?: string): ClientCredentials | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function contradictions(settings: Settings, publicUrl: URL): string[] {
  const faults: string[] = [];
  const sandboxAsked = settings.PAYMENTS === 'sandbox';
  const key = settings.STRIPE_SECRET_KEY;
  const secret = settings.STRIPE_WEBHOOK_SECRET;
  if (sandboxAsked && key) {
    faults.push('STRIPE_SECRET_KEY: contradicts PAYMENTS=sandbox; remove one of them');
  } else if (key && !secret) {
    faults.push('STRIPE_WEBHOOK_SECRET: missing, STRIPE_SECRET_KEY needs it');
  } else if (!key && (settings.PAYMENTS === 'stripe' || (secret && !sandboxAsked))) {
    faults.push('STRIPE_SECRET_KEY: missing, payments by Stripe need it');
  }
  for (const names of TOGETHER) {
    const missing = names.filter((name) => !settings[name]);
    if (missing.length === names.length) continue;
    for (const name of missing) faults.push(`${name}: missing, ${inWords(names)} go together`);
  }
  if (settings.OIDC_ONLY === 'true') {
    if (!settings.OIDC_ISSUER) faults.push('OIDC_ISSUER: missing, OIDC_ONLY=true needs it');
    for (const name of ['GOOGLE_CLIENT_ID', 'GITHUB_CLIENT_ID'] as const) {
      if (settings[name]) faults.push(`${name}: contradicts OIDC_ONLY=true; remove one of them`);
    }
  }
  if (settings.DATABASE_URL && !settings.APP_SECRET) {
    faults.push('APP_SECRET: required with DATABASE_URL, so that every process has the same');
  }
  if (!LOOPBACK.has(publicUrl.hostname)) {
    if (!settings.SMTP_URL) {
      const mails = settings.OIDC_ONLY === 'true' ? 'get a receipt' : 'confirm an e-mail';
      faults.push(`SMTP_URL: required with a public PUBLIC_URL, or nobody could ${mails}`);
    }
    if (!key && !sandboxAsked) {
      faults.push('STRIPE_SECRET_KEY: required with a public PUBLIC_URL (or PAYMENTS=sandbox)');
    }
  }
  return faults;
}

/** NAME_FILE names a file that holds NAME, for secrets. An empty value counts as absent. */
function readSecretFiles(environment: Environment) {
  const values: Environment = {};
  const faults: string[] = [];
  for (const name of Object.keys(environmentSchema.shape).concat(NOT_YET)) {
    const value = environment[name];
    const file = environment[`${name}_FILE`];
    // The one setting whose empty value means something: the page has no checkout then.
    if (value || (value === '' && name === 'CHECKOUT_API_ENDPOINT')) values[name] = value;
    if (!file) continue;
    if (value) {
      faults.push(`${name}_FILE: contradicts ${name}; remove one of them`);
      continue;
    }
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      faults.push(`${name}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { values, faults };
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.pathname === '/' && !url.search && !url.hash && !url.username;
}

/** Whether what is sent there can be read by nobody on the way. */
function isConfidential(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === 'https:' || LOOPBACK.has(url.hostname);
}

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`;
}

function refusal(faults: string[]): ConfigError {
  return new ConfigError(`Padlink cannot start with this configuration:\n- ${faults.join('\n- ')}`);
}

import { join, resolve } from 'node:path';
import { STRIPE_MIN_CENTS } from '../../../contract/limits.ts';
import { type FeeRate, NO_FEE } from '../../../contract/money.ts';
import type { PayoutTerms } from '../../../contract/runtime-config.ts';
import { LOOPBACK, type Settings } from './settings.ts';

/** What the product runs with. */
export interface Config {
  host: string;
  port: number;
  /** Origin without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  database: { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };
  payments:
    | ({ kind: 'sandbox'; port: number; webhookSecret: string | null } & ConnectSecrets)
    | ({
        kind: 'stripe';
        secretKey: string;
        webhookSecret: string;
        live: boolean;
        /** What this process may ask of the account. */
        callsPerSecond: number;
      } & ConnectSecrets);
  /**
   * `requireTls`: others might read the traffic to the server, and the URL does not say otherwise.
   */
  mail:
    | { kind: 'mailbox' }
    | { kind: 'smtp'; url: string; from: string; replyTo: string | null; requireTls: boolean };
  /** Accounts of an OIDC provider, and the label of its button; `only`: the one way to sign in. */
  userPool: (ClientCredentials & { issuer: string; name: string; only: boolean }) | null;
  socialSignIn: { google?: ClientCredentials; github?: ClientCredentials };
  fee: FeeRate;
  /** Who pays what the provider keeps of a refunded sale, and its fee of a dispute. */
  costBearers: { refundCost: 'platform' | 'creator'; disputeFee: 'platform' | 'creator' };
  payouts: PayoutTerms;
  /** Whether the provider adds taxes to prices at the checkout. */
  tax: boolean;
  /** Addresses of the accounts that may sell, in lower case; null for every account. */
  sellers: string[] | null;
  /** Origin of the provider's custom checkout domain. */
  checkoutOrigin: string | null;
  /** Cents: never below the provider's. */
  minimumPriceCents: number;
  /** Cents: the least that the provider charges a card. */
  providerMinimumCents: number;
  maxFileBytes: number;
  /** Of all files of an account, including open uploads. */
  accountQuotaBytes: number;
  /** Links on sale of an account, and uploads that it can start a UTC day; null for any number. */
  quotaLinks: number | null;
  quotaUploadsADay: number | null;
  /** What files leave free of the disk; null for a share of it. */
  minFreeDiskBytes: number | null;
  /** Addresses or ranges whose X-Forwarded-For is trusted, as proxy-addr reads them. */
  trustedProxies: string[];
  /** What the page is told of its checkout; empty when an operator left it out. */
  checkoutApiEndpoint: string;
  /** Null: files are kept in the data folder. */
  s3: S3Settings | null;
  /** Whether webhooks may be in the operator's own network, and without TLS. */
  webhookAllowPrivate: boolean;
  /** An internal nginx location that maps to the blob folder, e.g. "/protected/". */
  downloadAccel: string | null;
  /** Path of the malware scanner's socket, or host:port. */
  clamd: string | null;
  /** Who may create an account: everybody, who was invited, or nobody new. */
  signUp: 'open' | 'invite' | 'closed';
  /** In lower case. */
  operatorEmails: string[];
  serviceKey: string | null;
  supportEmail: string | null;
  /** What the landing page counts up to: users, links, payouts. */
  landingCounters: [number, number, number];
  /** Who runs the site, as the legal pages name them; the address may have several lines. */
  operator: { name: string | null; address: string | null };
  /** Null: generated into the data folder. */
  appSecret: string | null;
  /** Where Prometheus may ask for figures: with a token, and on a port of this machine. */
  metrics: { token: string | null; port: number | null };
  /** Where traces are sent; null for nowhere. */
  tracing: { endpoint: string; serviceName: string } | null;
  /** How long it goes on serving after it was told to stop, while it says that it is not ready. */
  shutdownDelayMs: number;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** What events of connected accounts, and thin ones, are signed with; null: their endpoints are not set up. */
interface ConnectSecrets {
  connectWebhookSecret: string | null;
  thinWebhookSecret: string | null;
}

/** A bucket of S3-compatible storage. */
interface S3Settings {
  /** Origin. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether browsers exchange the bytes with the store itself, instead of with this server. */
  direct: boolean;
}

/** The credentials of this product at a sign-in service. */
interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** Turns consistent settings into the configuration. @param publicUrl origin */
export function assemble(settings: Settings, publicUrl: string): Config {
  const dataDir = resolve(settings.DATA_DIR);
  const operatorEmails = settings.OPERATOR_EMAILS;
  const payments = assemblePayments(settings);
  const providerMinimumCents = payments.kind === 'stripe' ? STRIPE_MIN_CENTS : 1;
  return {
    host: settings.HOST ?? (settings.PUBLIC_URL ? '0.0.0.0' : '127.0.0.1'),
    port: settings.PORT,
    publicUrl,
    dataDir,
    database: settings.DATABASE_URL
      ? { kind: 'postgres', url: settings.DATABASE_URL }
      : { kind: 'sqlite', file: join(dataDir, 'padlink.sqlite') },
    payments,
    mail:
      settings.SMTP_URL && settings.MAIL_FROM
        ? {
            kind: 'smtp',
            url: settings.SMTP_URL,
            from: settings.MAIL_FROM,
            replyTo: settings.MAIL_REPLY_TO ?? null,
            requireTls: mustBeEncrypted(settings.SMTP_URL),
          }
        : { kind: 'mailbox' },
    userPool: assembleUserPool(settings),
    socialSignIn: {
      google: credentials(settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET),
      github: credentials(settings.GITHUB_CLIENT_ID, settings.GITHUB_CLIENT_SECRET),
    },
    fee: assembleFee(settings),
    costBearers: { refundCost: settings.REFUND_COST, disputeFee: settings.DISPUTE_FEE },
    payouts: {
      kind: settings.PAYOUTS ?? (settings.STRIPE_SECRET_KEY ? 'manual' : 'connect'),
      minimumCents: settings.PAYOUT_MIN_CENTS,
      costCents: settings.PAYOUT_COST_CENTS,
      holdDays: settings.HOLD_DAYS,
    },
    tax: settings.TAX === 'stripe',
    sellers: settings.PAYOUTS === 'solo' ? operatorEmails : null,
    checkoutOrigin: settings.CHECKOUT_DOMAIN ? `https://${settings.CHECKOUT_DOMAIN}` : null,
    minimumPriceCents: Math.max(settings.MIN_PRICE_CENTS, providerMinimumCents),
    providerMinimumCents,
    maxFileBytes: settings.MAX_FILE_BYTES,
    accountQuotaBytes: settings.ACCOUNT_QUOTA_BYTES,
    quotaLinks: settings.QUOTA_LINKS ?? null,
    quotaUploadsADay: settings.QUOTA_UPLOADS_A_DAY ?? null,
    minFreeDiskBytes: settings.MIN_FREE_DISK_BYTES ?? null,
    trustedProxies: settings.TRUSTED_PROXIES,
    checkoutApiEndpoint: settings.CHECKOUT_API_ENDPOINT ?? `${publicUrl}/prod/`,
    s3: assembleS3(settings),
    webhookAllowPrivate: settings.WEBHOOK_ALLOW_PRIVATE === 'true',
    downloadAccel: settings.DOWNLOAD_ACCEL ?? null,
    clamd: settings.CLAMD_SOCKET ?? null,
    signUp: settings.SIGN_UP,
    operatorEmails,
    serviceKey: settings.SERVICE_KEY ?? null,
    supportEmail: settings.SUPPORT_EMAIL ?? null,
    landingCounters: settings.LANDING_COUNTERS.split(',').map(Number) as [number, number, number],
    operator: {
      name: settings.OPERATOR_NAME ?? null,
      address: settings.OPERATOR_ADDRESS ?? null,
    },
    appSecret: settings.APP_SECRET ?? null,
    metrics: { token: settings.METRICS_TOKEN ?? null, port: settings.METRICS_PORT ?? null },
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: settings.OTEL_SERVICE_NAME }
      : null,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS * 1_000,
    logLevel: settings.LOG_LEVEL,
  };
}

/** Parameters with which an operator decides about TLS; the mail client reads them. */
const TLS_PARAMETERS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

function mustBeEncrypted(smtpUrl: string): boolean {
  const { hostname, searchParams } = new URL(smtpUrl);
  const isDecided = TLS_PARAMETERS.some((name) => searchParams.has(name));
  return !isDecided && !LOOPBACK.has(hostname.toLowerCase());
}

/** Nobody charges themselves a fee. */
function assembleFee(settings: Settings): FeeRate {
  if (settings.PAYOUTS === 'solo') return NO_FEE;
  return {
    basisPoints: Math.round(settings.PLATFORM_FEE_PERCENT * 100),
    fixedCents: settings.PLATFORM_FEE_FIXED_CENTS,
  };
}

/** What Stripe allows an account unless it raises it: https://docs.stripe.com/rate-limits. */
const CALLS_PER_SECOND = { live: 100, test: 25 };

function assemblePayments(settings: Settings): Config['payments'] {
  const secrets = {
    connectWebhookSecret: settings.STRIPE_CONNECT_WEBHOOK_SECRET ?? null,
    thinWebhookSecret: settings.STRIPE_THIN_WEBHOOK_SECRET ?? null,
  };
  if (settings.STRIPE_SECRET_KEY && settings.STRIPE_WEBHOOK_SECRET) {
    const live = settings.STRIPE_SECRET_KEY.includes('_live_');
    return {
      kind: 'stripe',
      secretKey: settings.STRIPE_SECRET_KEY,
      webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
      live,
      callsPerSecond: settings.STRIPE_CALLS_PER_SECOND ?? CALLS_PER_SECOND[live ? 'live' : 'test'],
      ...secrets,
    };
  }
  return {
    kind: 'sandbox',
    port: settings.SANDBOX_PORT,
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? null,
    ...secrets,
  };
}

function assembleUserPool(settings: Settings): Config['userPool'] {
  const client = credentials(settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET);
  if (!settings.OIDC_ISSUER || !client) return null;
  const { OIDC_ISSUER: issuer, OIDC_NAME: name, OIDC_ONLY } = settings;
  return { ...client, issuer, name, only: OIDC_ONLY === 'true' };
}

function assembleS3({
  S3_ENDPOINT,
  S3_REGION: region,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
  S3_DELIVERY,
}: Settings): S3Settings | null {
  if (!(S3_ENDPOINT && region && bucket && accessKeyId && secretAccessKey)) return null;
  const endpoint = new URL(S3_ENDPOINT).origin;
  const direct = S3_DELIVERY === 'direct';
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, direct };
}

function credentials(clientId?: string, clientSecret?: string): ClientCredentials | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

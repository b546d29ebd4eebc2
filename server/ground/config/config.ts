import { join, resolve } from 'node:path';
import { STRIPE_MIN_CENTS } from '../../../contract/limits.ts';
import { type FeeRate, NO_FEE } from '../../../contract/money.ts';
import { PRODUCT_NAME } from '../../../contract/runtime-config.ts';
import { LOOPBACK, type Settings } from './settings.ts';

/** What the product runs with. */
export type Config = ReturnType<typeof assemble>;

/** Turns consistent settings into the configuration. @param publicUrl origin */
export function assemble(settings: Settings, publicUrl: string) {
  const dataDir = resolve(settings.DATA_DIR);
  const payments = assemblePayments(settings);
  /** Cents: the least that the provider charges a card. */
  const providerMinimumCents = payments.kind === 'stripe' ? STRIPE_MIN_CENTS : 1;
  return {
    host: settings.HOST ?? (settings.PUBLIC_URL ? '0.0.0.0' : '127.0.0.1'),
    port: settings.PORT,
    publicUrl,
    /** What the site is called, and how it looks. */
    siteName: settings.SITE_NAME || PRODUCT_NAME,
    logo: settings.SITE_LOGO ?? null,
    /** Such as #f2bb3b; null for the product's own. */
    accent: settings.ACCENT_COLOR ?? null,
    dataDir,
    database: settings.DATABASE_URL
      ? ({ kind: 'postgres', url: settings.DATABASE_URL } as const)
      : ({ kind: 'sqlite', file: join(dataDir, 'padlink.sqlite') } as const),
    payments,
    mail: assembleMail(settings),
    userPool: assembleUserPool(settings),
    socialSignIn: {
      google: credentials(settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET),
      github: credentials(settings.GITHUB_CLIENT_ID, settings.GITHUB_CLIENT_SECRET),
    },
    fee: assembleFee(settings),
    /** Who pays what the provider keeps of a refunded sale, and its fee of a dispute. */
    costBearers: { refundCost: settings.REFUND_COST, disputeFee: settings.DISPUTE_FEE },
    payouts: {
      kind: settings.PAYOUTS ?? (settings.STRIPE_SECRET_KEY ? 'manual' : 'connect'),
      minimumCents: settings.PAYOUT_MIN_CENTS,
      costCents: settings.PAYOUT_COST_CENTS,
      holdDays: settings.HOLD_DAYS,
    },
    /** Whether who sells was chosen, rather than left at what holds without a choice. */
    payoutsAreChosen: settings.PAYOUTS !== undefined,
    /** Whether the provider adds taxes to prices at the checkout. */
    tax: settings.TAX === 'stripe',
    /** Addresses of the accounts that may sell, in lower case; null for every account. */
    sellers: settings.PAYOUTS === 'solo' ? settings.OPERATOR_EMAILS : null,
    /** Origin of the provider's custom checkout domain. */
    checkoutOrigin: settings.CHECKOUT_DOMAIN ? `https://${settings.CHECKOUT_DOMAIN}` : null,
    minimumPriceCents: Math.max(settings.MIN_PRICE_CENTS, providerMinimumCents),
    providerMinimumCents,
    maxFileBytes: settings.MAX_FILE_BYTES,
    /** Of all files of an account, including open uploads. */
    accountQuotaBytes: settings.ACCOUNT_QUOTA_BYTES,
    /** Links on sale of an account, and uploads that it can start a UTC day; null for any number. */
    quotaLinks: settings.QUOTA_LINKS ?? null,
    quotaUploadsADay: settings.QUOTA_UPLOADS_A_DAY ?? null,
    /** What files leave free of the disk; null for a share of it. */
    minFreeDiskBytes: settings.MIN_FREE_DISK_BYTES ?? null,
    /** Addresses or ranges whose X-Forwarded-For is trusted, as proxy-addr reads them. */
    trustedProxies: settings.TRUSTED_PROXIES,
    /** What the page is told of its checkout; empty when an operator left it out. */
    checkoutApiEndpoint: settings.CHECKOUT_API_ENDPOINT ?? `${publicUrl}/prod/`,
    s3: assembleS3(settings),
    /** Whether webhooks may be in the operator's own network, and without TLS. */
    webhookAllowPrivate: settings.WEBHOOK_ALLOW_PRIVATE === 'true',
    /** An internal nginx location that maps to the blob folder, e.g. "/protected/". */
    downloadAccel: settings.DOWNLOAD_ACCEL ?? null,
    /** Path of the malware scanner's socket, or host:port. */
    clamd: settings.CLAMD_SOCKET ?? null,
    signUp: settings.SIGN_UP,
    /** In lower case. */
    operatorEmails: settings.OPERATOR_EMAILS,
    serviceKey: settings.SERVICE_KEY ?? null,
    supportEmail: settings.SUPPORT_EMAIL ?? null,
    /** What the landing page counts up to: users, links, payouts. */
    landingCounters: settings.LANDING_COUNTERS.split(',').map(Number) as [number, number, number],
    /** Who runs the site, as the legal pages name them; the address may have several lines. */
    operator: {
      name: settings.OPERATOR_NAME ?? null,
      address: settings.OPERATOR_ADDRESS ?? null,
    },
    /** Null: generated into the data folder. */
    appSecret: settings.APP_SECRET ?? null,
    /** Where Prometheus may ask for figures: with a token, and on a port of this machine. */
    metrics: { token: settings.METRICS_TOKEN ?? null, port: settings.METRICS_PORT ?? null },
    /** Where traces are sent; null for nowhere. */
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: settings.OTEL_SERVICE_NAME }
      : null,
    /** How long it goes on serving after it was told to stop, while it says that it is not ready. */
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS * 1_000,
    logLevel: settings.LOG_LEVEL,
  };
}

function assembleMail({ SMTP_URL: url, MAIL_FROM: from, MAIL_REPLY_TO: replyTo }: Settings) {
  if (!url || !from) return { kind: 'mailbox' } as const;
  const requireTls = mustBeEncrypted(url);
  return { kind: 'smtp', url, from, replyTo: replyTo ?? null, requireTls } as const;
}

/** Parameters with which an operator decides about TLS; the mail client reads them. */
const TLS_PARAMETERS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/** Whether others might read the traffic to the server, and the URL does not say otherwise. */
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

function assemblePayments({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  ...settings
}: Settings) {
  /** What events of connected accounts, and thin ones, are signed with; null: their endpoints are not set up. */
  const secrets = {
    connectWebhookSecret: settings.STRIPE_CONNECT_WEBHOOK_SECRET ?? null,
    thinWebhookSecret: settings.STRIPE_THIN_WEBHOOK_SECRET ?? null,
  };
  if (!secretKey || !webhookSecret) {
    const port = settings.SANDBOX_PORT;
    return { kind: 'sandbox', port, webhookSecret: webhookSecret ?? null, ...secrets } as const;
  }
  const live = secretKey.includes('_live_');
  /** What this process may ask of the account. */
  const callsPerSecond =
    settings.STRIPE_CALLS_PER_SECOND ?? CALLS_PER_SECOND[live ? 'live' : 'test'];
  return { kind: 'stripe', secretKey, webhookSecret, live, callsPerSecond, ...secrets } as const;
}

/** Accounts of an OIDC provider, and the label of its button; `only`: the one way to sign in. */
function assembleUserPool(settings: Settings) {
  const client = credentials(settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET);
  if (!settings.OIDC_ISSUER || !client) return null;
  const { OIDC_ISSUER: issuer, OIDC_NAME: name, OIDC_ONLY } = settings;
  return { ...client, issuer, name, only: OIDC_ONLY === 'true' };
}

/**
 * Null: files are kept in the data folder. `direct`: browsers exchange the bytes with the store itself,
 * instead of with this server.
 */
function assembleS3({
  S3_ENDPOINT,
  S3_REGION: region,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
  S3_DELIVERY,
}: Settings) {
  if (!(S3_ENDPOINT && region && bucket && accessKeyId && secretAccessKey)) return null;
  const endpoint = new URL(S3_ENDPOINT).origin;
  const direct = S3_DELIVERY === 'direct';
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, direct };
}

/** Of this product at a sign-in service. */
function credentials(clientId?: string, clientSecret?: string) {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

import type { SettingName } from './settings.ts';

/**
 * What each setting is for, under the headings of docs/settings.md. The server never loads this:
 * `npm run settings` prints it there, with the default and the `must` of each setting.
 */
export const ABOUT_SETTINGS = {
  'The server': {
    PUBLIC_URL:
      'The address people open. Any address but this machine’s own requires email and payments to be set up.',
    PORT: 'Port to listen on.',
    HOST: 'Address to listen on; `::` is every address of IPv4 and IPv6.',
    TRUSTED_PROXIES:
      'Proxies whose `X-Forwarded-For` is believed ([behind a proxy](operating.md#put-it-behind-a-proxy)).',
    SHUTDOWN_DELAY_SECONDS:
      'How long Padlink goes on serving after SIGTERM or SIGINT, while `/readyz` already answers 503: longer than a load balancer takes to notice ([scaling.md](scaling.md#restart-one-after-the-other)).',
    WEBHOOK_ALLOW_PRIVATE:
      '`true`: sellers’ [webhooks](webhooks.md#where-they-may-be) and their browsers’ push services may be in your own network, and without TLS.',
  },
  'Database and secret': {
    DATA_DIR: 'Folder of the embedded database, the files, the generated secret and the sandbox.',
    DATABASE_URL:
      'An empty PostgreSQL database that its user owns; Padlink creates everything in it. Of several servers, Padlink uses the one that takes writes, and finds a promoted standby by itself.',
    APP_SECRET:
      'Signs sessions, download links and the personal links in receipts. `DATABASE_URL` requires it. Padlink refuses to start if it has changed.',
  },
  Files: {
    MAX_FILE_BYTES: 'Maximum size of a file.',
    ACCOUNT_QUOTA_BYTES:
      'How much the files of an account can use together, unfinished uploads included. Deleted files, kept for another 30 days, can use as much again.',
    QUOTA_UPLOADS_A_DAY: 'How many uploads an account can start in a UTC day.',
    QUOTA_LINKS:
      'How many links an account can have on sale. `user quota` sets another figure for one account, as for the other quotas.',
    MIN_FREE_DISK_BYTES:
      'How much of the disk uploads leave free for the database; beyond it they are refused with 507.',
    DOWNLOAD_ACCEL:
      'Internal location from which [nginx sends the files](operating.md#let-nginx-send-the-files).',
    CLAMD_SOCKET:
      'ClamAV’s daemon, which then [scans every file](operating.md#scan-files-for-malware) before it is sold.',
    S3_ENDPOINT:
      'The [S3-compatible storage](operating.md#keep-files-in-s3) that holds the files; buckets are addressed by path. Set it with the next four.',
    S3_REGION: 'Region of the bucket.',
    S3_BUCKET: 'A private bucket for this installation alone.',
    S3_ACCESS_KEY_ID: 'Access key of the bucket.',
    S3_SECRET_ACCESS_KEY: 'Secret of that access key.',
    S3_DELIVERY:
      '`proxy`: every byte of a file goes through Padlink, for storage that browsers cannot reach.',
  },
  Payments: {
    PAYMENTS: '`sandbox` uses the sandbox even with a public `PUBLIC_URL`.',
    STRIPE_SECRET_KEY: 'Takes [payments through Stripe](operating.md#take-payments-with-stripe).',
    STRIPE_WEBHOOK_SECRET: 'Signing secret of the webhook endpoint, which `stripe setup` creates.',
    STRIPE_CONNECT_WEBHOOK_SECRET:
      'Signing secret of the second endpoint, which [Stripe Connect](operating.md#pay-creators-with-stripe-connect) requires.',
    STRIPE_THIN_WEBHOOK_SECRET: 'Signing secret of the third endpoint, for thin events.',
    STRIPE_CALLS_PER_SECOND:
      'How many requests a second this process sends to Stripe. Several processes share what Stripe allows the account: set each one’s part. Raise it if Stripe has raised your limit.',
    SANDBOX_PORT: 'Loopback port of the sandbox’s API.',
    CHECKOUT_DOMAIN: 'Stripe’s custom checkout domain, to which browsers may then be redirected.',
    CHECKOUT_API_ENDPOINT: 'Where the page starts a checkout; set but empty, it turns buying off.',
    TAX: '`stripe`: Stripe adds the taxes due to each price at the checkout ([money.md](money.md#tax)).',
    MIN_PRICE_CENTS:
      'Lowest price of a link. With a Stripe key it is never below 50, the least that Stripe charges a card.',
  },
  'Fees and payouts': {
    PLATFORM_FEE_PERCENT: 'Part of each sale that the platform keeps, processing included.',
    PLATFORM_FEE_FIXED_CENTS: 'Fixed part of that fee.',
    REFUND_COST: 'Who pays what the provider keeps of a refunded sale.',
    DISPUTE_FEE: 'Who pays the provider’s fee for a dispute, won or lost.',
    PAYOUTS:
      'Who sells, and who pays them ([money.md](money.md#who-sells)): `solo`, only you sell, without fee or payouts; `manual`, you pay creators yourself; `connect`, Stripe pays them.',
    PAYOUT_MIN_CENTS: 'Smallest payout a creator can ask for; more than `PAYOUT_COST_CENTS`.',
    PAYOUT_COST_CENTS: 'What a payout costs the creator, deducted from it.',
    HOLD_DAYS: 'Days for which the money of a sale is held before it can be paid out.',
  },
  Email: {
    SMTP_URL:
      'Your mail server; set it with `MAIL_FROM`. Mail leaves this machine over TLS only: a server without STARTTLS gets none, unless the address ends in `?requireTLS=false`.',
    MAIL_FROM: 'Sender of Padlink’s emails.',
    MAIL_REPLY_TO: 'Where replies to them go.',
  },
  'Accounts and operators': {
    SIGN_UP:
      'Who can create an account: `open`, everyone; `invite`, those whom an operator invites; `closed`, nobody.',
    OPERATOR_EMAILS:
      'Addresses whose confirmed accounts are [operators](operating.md#let-people-in). They can always sign up, are mailed when a creator’s first payout waits, and with `PAYOUTS=solo` are the only ones who sell.',
    SERVICE_KEY: 'The operator’s key for `x-api-key`, which can change every link.',
  },
  'Sign-in services': {
    OIDC_ISSUER:
      'Issuer of [your own user pool](operating.md#sign-in-through-your-own-user-pool), exactly as the pool spells it. Set it with the next two.',
    OIDC_CLIENT_ID: 'Client that you registered there.',
    OIDC_CLIENT_SECRET: 'Secret of that client.',
    OIDC_NAME: 'Name of the pool: the button reads “Sign in with” and this name.',
    OIDC_ONLY: '`true`: people can sign in through the pool only.',
    GOOGLE_CLIENT_ID: 'Sign-in with Google. Set it with its secret.',
    GOOGLE_CLIENT_SECRET: 'Secret of that client.',
    GITHUB_CLIENT_ID: 'Sign-in with GitHub. Set it with its secret.',
    GITHUB_CLIENT_SECRET: 'Secret of that client.',
  },
  'Name, look and texts': {
    SITE_NAME:
      'What the site is called on its pages, in emails, and on cards that other sites show.',
    SITE_LOGO:
      'Picture in place of that name at the top of each page, 28 pixels high. It should be readable on light and on dark.',
    ACCENT_COLOR:
      'Color of the main buttons, on pages and in emails; their words become black or white, whichever is more readable.',
    SUPPORT_EMAIL: 'Shown wherever people are told to contact support.',
    OPERATOR_NAME:
      'Who runs the site, stated on receipts and on the terms and privacy pages. Read both pages, and have them checked against the law of your country, before you take real money.',
    OPERATOR_ADDRESS: 'Postal address, stated with it.',
    LANDING_COUNTERS:
      'What the landing page counts up to: users, links, payouts. Keep these numbers true.',
  },
  Monitoring: {
    LOG_LEVEL: 'The least severe lines that are logged.',
    METRICS_TOKEN: 'Lets Prometheus read `/metrics` with this bearer token.',
    METRICS_PORT: 'Serves `/metrics` without a token on this port of `127.0.0.1`.',
    OTEL_EXPORTER_OTLP_ENDPOINT:
      'Collector to which [traces](operating.md#follow-requests-with-traces) are sent.',
    OTEL_SERVICE_NAME: 'What this installation is called there.',
  },
} satisfies Record<string, Partial<Record<SettingName, string>>>;

/** What holds where no schema has a default, or where its default is not the whole truth. */
export const DEFAULTS_IN_WORDS: Partial<Record<SettingName, string>> = {
  PUBLIC_URL: '`http://localhost:PORT`',
  HOST: '`127.0.0.1`; `0.0.0.0` with `PUBLIC_URL`',
  DATABASE_URL: 'SQLite in `DATA_DIR`',
  APP_SECRET: 'generated into `DATA_DIR/app-secret`',
  QUOTA_UPLOADS_A_DAY: 'any number',
  QUOTA_LINKS: 'any number',
  MIN_FREE_DISK_BYTES: '5% of the disk, at most 256 MiB',
  S3_ENDPOINT: 'files in `DATA_DIR`',
  STRIPE_SECRET_KEY: 'the sandbox',
  STRIPE_CALLS_PER_SECOND: '`100` with a live key, `25` with a test key',
  SANDBOX_PORT: 'a free port, printed at start',
  CHECKOUT_API_ENDPOINT: '`{PUBLIC_URL}/prod/`',
  MIN_PRICE_CENTS: '`1`; `50` with a Stripe key',
  PAYOUTS: '`connect` in the sandbox, `manual` with a Stripe key',
  SMTP_URL: 'a mailbox on this machine',
  MAIL_REPLY_TO: 'the sender',
};

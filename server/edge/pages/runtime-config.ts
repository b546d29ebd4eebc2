import {
  COUNTER_TARGETS,
  type RuntimeConfig,
  type SignInProvider,
} from '../../../contract/runtime-config.ts';

/** The part of the configuration that pages are told of. */
export interface SiteSettings
  extends Pick<
    RuntimeConfig,
    | 'checkoutApiEndpoint'
    | 'minimumPriceCents'
    | 'providerMinimumCents'
    | 'fee'
    | 'payouts'
    | 'maxFileBytes'
  > {
  publicUrl: string;
  siteName: string;
  logo: { path: string } | null;
  landingCounters: [number, number, number];
  supportEmail: string | null;
  operator: { name: string | null; address: string | null };
  payments: { kind: 'sandbox' | 'stripe' };
  tax: boolean;
  signUp: 'open' | 'invite' | 'closed';
  mail: { kind: 'mailbox' | 'smtp' };
  userPool: { name: string; only: boolean } | null;
  socialSignIn: { google?: object | undefined; github?: object | undefined };
}

/** What every page may know of the server. */
export function toRuntimeConfig(
  config: SiteSettings,
  mode: 'test' | 'live',
  publishableKey: string,
): RuntimeConfig {
  return {
    origin: config.publicUrl,
    siteName: config.siteName,
    ...(config.logo && { logo: config.logo.path }),
    checkoutApiEndpoint: config.checkoutApiEndpoint,
    graphqlEndpoint: `${config.publicUrl}/graphql`,
    apiKey: publishableKey,
    payments: config.payments.kind === 'sandbox' ? 'sandbox' : `stripe-${mode}`,
    minimumPriceCents: config.minimumPriceCents,
    providerMinimumCents: config.providerMinimumCents,
    fee: config.fee,
    payouts: config.payouts,
    ...(config.tax && { tax: true }),
    ...(`${config.landingCounters}` !== `${COUNTER_TARGETS}` && {
      landingCounters: config.landingCounters,
    }),
    ...(config.signUp !== 'open' && { signUp: config.signUp }),
    maxFileBytes: config.maxFileBytes,
    ...(config.supportEmail && { supportEmail: config.supportEmail }),
    operator: {
      ...(config.operator.name && { name: config.operator.name }),
      ...(config.operator.address && { address: config.operator.address }),
    },
    signIn: { passwords: !config.userPool?.only, providers: listProviders(config) },
    mailbox: config.mail.kind === 'mailbox',
  };
}

function listProviders({
  userPool,
  socialSignIn: { google, github },
}: SiteSettings): SignInProvider[] {
  return [
    ...(userPool ? [{ id: 'oidc', label: userPool.name } as const] : []),
    ...(google ? [{ id: 'google', label: 'Continue with Google' } as const] : []),
    ...(github ? [{ id: 'github', label: 'Continue with GitHub' } as const] : []),
  ];
}

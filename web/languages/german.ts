import { ACCOUNT_MAILS } from './german/account-mails.ts';
import { CART } from './german/cart.ts';
import { CHECKOUT } from './german/checkout.ts';
import { EXPLORE } from './german/explore.ts';
import { FACTS } from './german/facts.ts';
import { LANDING } from './german/landing.ts';
import { MAILS } from './german/mails.ts';
import { MODERATION } from './german/moderation.ts';
import { MODERATION_MAILS } from './german/moderation-mails.ts';
import { PAYOUT_MAILS } from './german/payout-mails.ts';
import { PAYWALL } from './german/paywall.ts';
import { PURCHASES } from './german/purchases.ts';
import { REFUSALS } from './german/refusals.ts';
import { SALE_MAILS } from './german/sale-mails.ts';
import { SHELL } from './german/shell.ts';
import { UI } from './german/ui.ts';
import { VERIFY } from './german/verify.ts';

/** Every sentence that a person may be told, by its English, which is to be said in full. */
export const GERMAN = {
  ...ACCOUNT_MAILS,
  ...CART,
  ...CHECKOUT,
  ...EXPLORE,
  ...FACTS,
  ...LANDING,
  ...MAILS,
  ...MODERATION,
  ...MODERATION_MAILS,
  ...PAYOUT_MAILS,
  ...PAYWALL,
  ...PURCHASES,
  ...REFUSALS,
  ...SALE_MAILS,
  ...SHELL,
  ...UI,
  ...VERIFY,
};

export type German = typeof GERMAN;

/** What the server words, and the browser says again. */
export const RETOLD: readonly string[] = Object.keys(FACTS);

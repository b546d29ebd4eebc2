import type { PageName } from '../../contract/pages.ts';
import { ACCOUNT } from './german/account.ts';
import {
  ACCOUNT_FACTS,
  DEVICE_FACTS,
  HOOK_FACTS,
  PICTURE_FACTS,
  SELLER_FACTS,
} from './german/account-facts.ts';
import { ACCOUNT_MAILS } from './german/account-mails.ts';
import { BUNDLES } from './german/bundles.ts';
import { CART } from './german/cart.ts';
import { CHECKOUT } from './german/checkout.ts';
import { CHOICE_FACTS, CHOICES } from './german/choices.ts';
import { COUNTRIES } from './german/countries.ts';
import { DASHBOARD } from './german/dashboard.ts';
import { DISCOUNTS } from './german/discounts.ts';
import { EXPLORE } from './german/explore.ts';
import { FACTS } from './german/facts.ts';
import { FAULTS } from './german/faults.ts';
import { HOOKS } from './german/hooks.ts';
import { LANDING } from './german/landing.ts';
import { LICENSES } from './german/licenses.ts';
import { LINK_FIELDS } from './german/link-fields.ts';
import { MAILS } from './german/mails.ts';
import { MODERATION } from './german/moderation.ts';
import { MODERATION_MAILS } from './german/moderation-mails.ts';
import { MONEY } from './german/money.ts';
import { MONEY_FACTS } from './german/money-facts.ts';
import { OPERATOR_FACTS } from './german/operator-facts.ts';
import { OPERATORS } from './german/operators.ts';
import { PAYOUT_MAILS } from './german/payout-mails.ts';
import { PAYWALL } from './german/paywall.ts';
import { PRIVACY } from './german/privacy.ts';
import { PURCHASES } from './german/purchases.ts';
import { REFUND_FACTS } from './german/refund-facts.ts';
import { REFUSALS } from './german/refusals.ts';
import { SALE_MAILS } from './german/sale-mails.ts';
import {
  ADDRESS_FACTS,
  BALANCE_FACTS,
  BUNDLE_FACTS,
  BUNDLE_HOLD_FACTS,
  DISCOUNT_FACTS,
  HOLD_FACTS,
  LICENSE_FACTS,
  LINK_FACTS,
  SALE_FACTS,
  UPLOAD_FACTS,
} from './german/seller-facts.ts';
import { SETUP_FACTS } from './german/setup-facts.ts';
import { SHARING } from './german/sharing.ts';
import { SHELL } from './german/shell.ts';
import { SIGN_IN } from './german/sign-in.ts';
import { SOURCES } from './german/sources.ts';
import { TERMS } from './german/terms.ts';
import { UI } from './german/ui.ts';
import { UPLOAD } from './german/upload.ts';
import { VERIFY } from './german/verify.ts';

/** Every sentence that a person may be told, by its English, which is to be said in full. */
export const GERMAN = {
  ...ACCOUNT_FACTS,
  ...ADDRESS_FACTS,
  ...BALANCE_FACTS,
  ...BUNDLE_FACTS,
  ...BUNDLE_HOLD_FACTS,
  ...CHOICE_FACTS,
  ...DEVICE_FACTS,
  ...DISCOUNT_FACTS,
  ...FACTS,
  ...FAULTS,
  ...HOLD_FACTS,
  ...HOOK_FACTS,
  ...LICENSE_FACTS,
  ...LINK_FACTS,
  ...MONEY_FACTS,
  ...OPERATOR_FACTS,
  ...PICTURE_FACTS,
  ...REFUND_FACTS,
  ...REFUSALS,
  ...SALE_FACTS,
  ...SELLER_FACTS,
  ...SETUP_FACTS,
  ...UPLOAD_FACTS,
  ...ACCOUNT,
  ...ACCOUNT_MAILS,
  ...BUNDLES,
  ...CART,
  ...CHECKOUT,
  ...CHOICES,
  ...DASHBOARD,
  ...DISCOUNTS,
  ...COUNTRIES,
  ...EXPLORE,
  ...HOOKS,
  ...LANDING,
  ...LICENSES,
  ...LINK_FIELDS,
  ...MAILS,
  ...MODERATION,
  ...MODERATION_MAILS,
  ...PAYOUT_MAILS,
  ...MONEY,
  ...OPERATORS,
  ...PAYWALL,
  ...PRIVACY,
  ...PURCHASES,
  ...SALE_MAILS,
  ...SHARING,
  ...SHELL,
  ...SIGN_IN,
  ...SOURCES,
  ...TERMS,
  ...UI,
  ...UPLOAD,
  ...VERIFY,
};

export type German = typeof GERMAN;

/** What the server may say of it to a page in the browser, beside FACTS. */
const TOLD: Partial<Record<PageName, readonly Partial<German>[]>> = {
  login: [FAULTS, ACCOUNT_FACTS],
  account: [FAULTS, ACCOUNT_FACTS, ADDRESS_FACTS, DEVICE_FACTS, SELLER_FACTS, PICTURE_FACTS],
  webhooks: [FAULTS, ADDRESS_FACTS, HOOK_FACTS],
  dashboard: [FAULTS, ADDRESS_FACTS, BALANCE_FACTS, HOLD_FACTS, BUNDLE_HOLD_FACTS, LINK_FACTS],
  upload: [FAULTS, ADDRESS_FACTS, LINK_FACTS, PICTURE_FACTS, UPLOAD_FACTS],
  sales: [FAULTS, REFUND_FACTS, SALE_FACTS],
  paywall: [BUNDLE_HOLD_FACTS],
  codes: [FAULTS, DISCOUNT_FACTS, REFUSALS],
  licenses: [FAULTS, LICENSE_FACTS],
  bundle: [FAULTS, LINK_FACTS, BUNDLE_FACTS],
  choices: [FAULTS, CHOICE_FACTS],
  money: [FAULTS, MONEY_FACTS],
  operator: [FAULTS, MONEY_FACTS, OPERATOR_FACTS],
  'operator-links': [FAULTS, OPERATOR_FACTS],
  'operator-purchases': [FAULTS, REFUND_FACTS, OPERATOR_FACTS, DEVICE_FACTS],
  'operator-reports': [FAULTS, OPERATOR_FACTS],
  'operator-sellers': [FAULTS, OPERATOR_FACTS],
  'operator-setup': [FAULTS, SETUP_FACTS],
  'operator-undelivered': [FAULTS, OPERATOR_FACTS],
};

/** And to signed-in visitors, who may own what it shows. */
const TOLD_TO_ACCOUNTS: typeof TOLD = { paywall: [HOLD_FACTS, PICTURE_FACTS] };

/** What a page needs of the catalog in the browser, although its scripts do not say it. */
export const toldOn = (page: PageName, isSignedIn: boolean): string[] =>
  [FACTS, ...(TOLD[page] ?? []), ...((isSignedIn && TOLD_TO_ACCOUNTS[page]) || [])].flatMap(
    Object.keys,
  );

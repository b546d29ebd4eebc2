import type { PageData } from '../contract/page-context.ts';
import { page as bundle } from './catalog/links/bundle.page.tsx';
import { page as choices } from './catalog/links/choices.page.tsx';
import { page as explore } from './catalog/listing/explore.page.tsx';
import { page as seller } from './catalog/sellers/seller.page.tsx';
import { page as access } from './delivery/buyers/access.page.tsx';
import { page as purchases } from './delivery/buyers/purchases.page.tsx';
import { page as verify } from './delivery/receipts/verify.page.tsx';
import { page as upload } from './files/upload.page.tsx';
import { page as money } from './money/payouts/money.page.tsx';
import { page as webhooks } from './notices/hooks/webhooks.page.tsx';
import { page as mailbox } from './notices/mails/mailbox.page.tsx';
import { page as operator } from './office/back-office/operator.page.tsx';
import { page as operatorActs } from './office/back-office/operator-acts.page.tsx';
import { page as operatorLinks } from './office/back-office/operator-links.page.tsx';
import { page as operatorPurchases } from './office/back-office/operator-purchases.page.tsx';
import { page as operatorReports } from './office/back-office/operator-reports.page.tsx';
import { page as operatorSellers } from './office/back-office/operator-sellers.page.tsx';
import { page as operatorSetup } from './office/back-office/operator-setup.page.tsx';
import { page as operatorUndelivered } from './office/back-office/operator-undelivered.page.tsx';
import { page as dashboard } from './office/dashboard/dashboard.page.tsx';
import { page as sales } from './office/dashboard/sales.page.tsx';
import { page as sources } from './office/dashboard/sources.page.tsx';
import { page as report } from './office/moderation/report.page.tsx';
import { page as takenDown } from './office/moderation/taken-down.page.tsx';
import type { Page, PageName } from './page.ts';
import { page as account } from './people/accounts/account.page.tsx';
import { page as login } from './people/accounts/login.page.tsx';
import { page as cart } from './selling/checkout/cart.page.tsx';
import { page as failed } from './selling/checkout/failed.page.tsx';
import { page as success } from './selling/checkout/success.page.tsx';
import { page as codes } from './selling/discounts/codes.page.tsx';
import { page as licenses } from './selling/licenses/licenses.page.tsx';
import { page as paywall } from './selling/paywall/paywall.page.tsx';
import { page as error } from './shell/error.page.tsx';
import { page as landing } from './shell/landing.page.tsx';
import { page as notFound } from './shell/not-found.page.tsx';
import { page as offline } from './shell/offline.page.tsx';
import { page as privacy } from './shell/privacy.page.tsx';
import { page as terms } from './shell/terms.page.tsx';

// biome-ignore lint/suspicious/noExplicitAny: a query and its page agree in definePage.
type DataOf<Name> = Name extends keyof PageData ? PageData[Name] : any;

/** Every page by its name: with a query of its own, or with the data that the server passes. */
// biome-ignore lint/suspicious/noExplicitAny: so do the variables.
export const pages: { [Name in PageName]: Page<DataOf<Name>, any> } = {
  landing,
  login,
  dashboard,
  upload,
  account,
  webhooks,
  paywall,
  explore,
  seller,
  cart,
  success,
  failed,
  terms,
  privacy,
  access,
  sales,
  money,
  codes,
  licenses,
  bundle,
  choices,
  sources,
  operator,
  'operator-acts': operatorActs,
  'operator-links': operatorLinks,
  'operator-reports': operatorReports,
  'operator-sellers': operatorSellers,
  'operator-purchases': operatorPurchases,
  'operator-setup': operatorSetup,
  'operator-undelivered': operatorUndelivered,
  purchases,
  verify,
  mailbox,
  offline,
  report,
  'taken-down': takenDown,
  'not-found': notFound,
  error,
};

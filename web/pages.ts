import type { PageData } from '../contract/page-context.ts';
import { page as account } from './account/account.page.tsx';
import { page as operator } from './back-office/operator.page.tsx';
import { page as operatorActs } from './back-office/operator-acts.page.tsx';
import { page as operatorLinks } from './back-office/operator-links.page.tsx';
import { page as operatorPurchases } from './back-office/operator-purchases.page.tsx';
import { page as operatorReports } from './back-office/operator-reports.page.tsx';
import { page as operatorSellers } from './back-office/operator-sellers.page.tsx';
import { page as operatorUndelivered } from './back-office/operator-undelivered.page.tsx';
import { page as bundle } from './bundles/bundle.page.tsx';
import { page as cart } from './cart/cart.page.tsx';
import { page as access } from './checkout/access.page.tsx';
import { page as failed } from './checkout/failed.page.tsx';
import { page as success } from './checkout/success.page.tsx';
import { page as dashboard } from './dashboard/dashboard.page.tsx';
import { page as sales } from './dashboard/sales.page.tsx';
import { page as codes } from './discounts/codes.page.tsx';
import { page as explore } from './explore/explore.page.tsx';
import { page as webhooks } from './hooks/webhooks.page.tsx';
import { page as landing } from './landing/landing.page.tsx';
import { page as privacy } from './legal/privacy.page.tsx';
import { page as terms } from './legal/terms.page.tsx';
import { page as mailbox } from './mails/mailbox.page.tsx';
import { page as report } from './moderation/report.page.tsx';
import { page as takenDown } from './moderation/taken-down.page.tsx';
import { page as money } from './money/money.page.tsx';
import type { Page, PageName } from './page.ts';
import { page as paywall } from './paywall/paywall.page.tsx';
import { page as purchases } from './purchases/purchases.page.tsx';
import { page as seller } from './sellers/seller.page.tsx';
import { page as error } from './shell/error.page.tsx';
import { page as notFound } from './shell/not-found.page.tsx';
import { page as offline } from './shell/offline.page.tsx';
import { page as login } from './sign-in/login.page.tsx';
import { page as sources } from './sources/sources.page.tsx';
import { page as upload } from './upload/upload.page.tsx';
import { page as verify } from './verify/verify.page.tsx';

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
  bundle,
  sources,
  operator,
  'operator-acts': operatorActs,
  'operator-links': operatorLinks,
  'operator-reports': operatorReports,
  'operator-sellers': operatorSellers,
  'operator-purchases': operatorPurchases,
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

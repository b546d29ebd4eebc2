import { page as account } from './account/account.page.tsx';
import { page as access } from './checkout/access.page.tsx';
import { page as failed } from './checkout/failed.page.tsx';
import { page as success } from './checkout/success.page.tsx';
import { page as dashboard } from './dashboard/dashboard.page.tsx';
import { page as explore } from './explore/explore.page.tsx';
import { page as landing } from './landing/landing.page.tsx';
import { page as privacy } from './legal/privacy.page.tsx';
import { page as terms } from './legal/terms.page.tsx';
import { page as mailbox } from './mails/mailbox.page.tsx';
import type { Page, PageName } from './page.ts';
import { page as paywall } from './paywall/paywall.page.tsx';
import { page as error } from './shell/error.page.tsx';
import { page as notFound } from './shell/not-found.page.tsx';
import { page as offline } from './shell/offline.page.tsx';
import { page as login } from './sign-in/login.page.tsx';
import { page as upload } from './upload/upload.page.tsx';

/** Every page by its name. The server pairs a page's query and its component; the types meet there. */
// biome-ignore lint/suspicious/noExplicitAny: each page has its own data.
export const pages: Record<PageName, Page<any, any>> = {
  landing,
  login,
  dashboard,
  upload,
  account,
  paywall,
  explore,
  success,
  failed,
  terms,
  privacy,
  access,
  mailbox,
  offline,
  'not-found': notFound,
  error,
};

import type { Page, PageName } from './page.ts';
import { page as access } from './pages/access.tsx';
import { page as account } from './pages/account.tsx';
import { page as dashboard } from './pages/dashboard.tsx';
import { page as error } from './pages/error.tsx';
import { page as explore } from './pages/explore.tsx';
import { page as failed } from './pages/failed.tsx';
import { page as landing } from './pages/landing.tsx';
import { page as login } from './pages/login.tsx';
import { page as mailbox } from './pages/mailbox.tsx';
import { page as notFound } from './pages/not-found.tsx';
import { page as offline } from './pages/offline.tsx';
import { page as paywall } from './pages/paywall.tsx';
import { page as privacy } from './pages/privacy.tsx';
import { page as success } from './pages/success.tsx';
import { page as terms } from './pages/terms.tsx';
import { page as upload } from './pages/upload.tsx';

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

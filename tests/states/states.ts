import { ACCOUNT_STATES } from './account-states.ts';
import { BUNDLE_STATES } from './bundle-states.ts';
import { CHOICE_STATES } from './choice-states.ts';
import { CODES_STATES } from './codes-states.ts';
import { DASHBOARD_STATES } from './dashboard-states.ts';
import { EXPLORE_STATES } from './explore-states.ts';
import { HOOKS_STATES } from './hooks-states.ts';
import { LICENSES_STATES } from './licenses-states.ts';
import { LOGIN_STATES } from './login-states.ts';
import { MONEY_STATES } from './money-states.ts';
import { OPEN_PAGE_STATES } from './open-page-states.ts';
import { OPERATOR_STATES } from './operator-states.ts';
import { PAYWALL_STATES } from './paywall-states.ts';
import { PURCHASE_STATES } from './purchase-states.ts';
import { SELLER_STATES } from './seller-states.ts';
import type { State } from './state.ts';
import { UPLOAD_STATES } from './upload-states.ts';
import { VERIFY_STATES } from './verify-states.ts';

/** Of the pages that visitors see. */
export const VISITOR_STATES: State[] = [
  ...OPEN_PAGE_STATES,
  ...EXPLORE_STATES,
  ...SELLER_STATES,
  ...PAYWALL_STATES,
  ...PURCHASE_STATES,
  ...VERIFY_STATES,
];

/** The first of each kind of page, as whoever opens it finds it. */
export const MAIN_STATES: State[] = [
  ...OPEN_PAGE_STATES.slice(0, 3),
  ...EXPLORE_STATES.slice(0, 1),
  ...SELLER_STATES.slice(0, 1),
  ...PAYWALL_STATES.slice(0, 2),
  ...PURCHASE_STATES.slice(0, 1),
  ...LOGIN_STATES.slice(0, 1),
  ...DASHBOARD_STATES.slice(0, 1),
  ...UPLOAD_STATES.slice(0, 1),
  ...ACCOUNT_STATES.slice(0, 1),
];

/** Of the pages that lead to an account, and that need one. */
export const CREATOR_STATES: State[] = [
  ...LOGIN_STATES,
  ...DASHBOARD_STATES,
  ...MONEY_STATES,
  ...CODES_STATES,
  ...LICENSES_STATES,
  ...BUNDLE_STATES,
  ...CHOICE_STATES,
  ...UPLOAD_STATES,
  ...ACCOUNT_STATES,
  ...HOOKS_STATES,
  ...OPERATOR_STATES,
];

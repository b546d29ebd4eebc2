import {
  accountDeleted,
  accountExists,
  emailChanged,
  passkeyAdded,
  passwordChanged,
  secretKeyCreated,
  twoFactorOff,
} from './account-notices.tsx';
import { emailChange, passwordReset, verification } from './code-mails.tsx';
import { paymentFailed, receipt } from './receipts.tsx';

/** Every email the product sends. */
export const mails = {
  accountDeleted,
  accountExists,
  emailChange,
  emailChanged,
  passkeyAdded,
  passwordChanged,
  passwordReset,
  paymentFailed,
  receipt,
  secretKeyCreated,
  twoFactorOff,
  verification,
};

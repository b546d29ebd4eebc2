import {
  accountDeleted,
  accountExists,
  emailChanged,
  passkeyAdded,
  passwordChanged,
  secretKeyCreated,
  twoFactorOff,
} from './account-notices.ts';
import { emailChange } from './email-change.ts';
import { passwordReset } from './password-reset.ts';
import { paymentFailed } from './payment-failed.tsx';
import { receipt } from './receipt.tsx';
import { verification } from './verification.ts';

/** Every mail the product sends. */
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

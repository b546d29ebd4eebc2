import type { Mails } from '../../contract/mails.ts';
import {
  accountDeleted,
  accountExists,
  emailChanged,
  passkeyAdded,
  passwordChanged,
  secretKeyCreated,
  twoFactorOff,
} from './account-notices.tsx';
import { accessCode, emailChange, passwordReset, verification } from './code-mails.tsx';
import { hookEnded } from './hook-notices.tsx';
import { invitation, standing } from './operator-notices.tsx';
import { payoutNotice, payoutsHeld, payoutWaits } from './payout-notices.tsx';
import {
  newVersion,
  paymentFailed,
  paymentReturned,
  purchases,
  receipt,
  refundMade,
  reminder,
} from './receipts.tsx';
import { doublePayment, fileRefused, paymentDisputed, saleRefunded } from './sale-notices.tsx';
import { contentTakenDown, reportsWait, takeDown } from './take-down-mails.tsx';

/** Every email the product sends. */
export const mails: Mails = {
  accessCode,
  accountDeleted,
  accountExists,
  contentTakenDown,
  doublePayment,
  emailChange,
  emailChanged,
  fileRefused,
  hookEnded,
  invitation,
  newVersion,
  passkeyAdded,
  passwordChanged,
  passwordReset,
  paymentDisputed,
  paymentFailed,
  paymentReturned,
  payoutNotice,
  payoutsHeld,
  payoutWaits,
  purchases,
  receipt,
  refundMade,
  reminder,
  reportsWait,
  saleRefunded,
  secretKeyCreated,
  standing,
  takeDown,
  twoFactorOff,
  verification,
};

import type { Language } from '../../contract/languages.ts';
import type { Mail, Mails } from '../../contract/mails.ts';
import { inLanguage } from '../languages/in-language.ts';
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
import { gift, giftReceipt } from './gift-mails.tsx';
import { hookEnded } from './hook-notices.tsx';
import { invitation, standing } from './operator-notices.tsx';
import { payoutNotice, payoutsHeld, payoutWaits } from './payout-notices.tsx';
import {
  cartReceipt,
  newVersion,
  paymentFailed,
  paymentReturned,
  purchases,
  receipt,
  refundFailed,
  refundMade,
  reminder,
} from './receipts.tsx';
import {
  doublePayment,
  fileRefused,
  paymentDisputed,
  saleRefunded,
  saleRefundFailed,
} from './sale-notices.tsx';
import { saleMade, salesMade, weekOver } from './sold-notices.tsx';
import { contentTakenDown, reportsWait, takeDown } from './take-down-mails.tsx';

/** Written in the language of who reads it. */
const told =
  <Input extends { language: Language }>(write: (input: Input) => Mail) =>
  (input: Input) =>
    inLanguage(input.language, () => write(input));

/** Every email the product sends. */
export const mails: Mails = {
  accessCode: told(accessCode),
  accountDeleted: told(accountDeleted),
  accountExists: told(accountExists),
  cartReceipt: told(cartReceipt),
  contentTakenDown: told(contentTakenDown),
  doublePayment: told(doublePayment),
  emailChange: told(emailChange),
  emailChanged: told(emailChanged),
  fileRefused: told(fileRefused),
  gift: told(gift),
  giftReceipt: told(giftReceipt),
  hookEnded: told(hookEnded),
  invitation: told(invitation),
  newVersion: told(newVersion),
  passkeyAdded: told(passkeyAdded),
  passwordChanged: told(passwordChanged),
  passwordReset: told(passwordReset),
  paymentDisputed: told(paymentDisputed),
  paymentFailed: told(paymentFailed),
  paymentReturned: told(paymentReturned),
  payoutNotice: told(payoutNotice),
  payoutsHeld: told(payoutsHeld),
  payoutWaits: told(payoutWaits),
  purchases: told(purchases),
  receipt: told(receipt),
  refundFailed: told(refundFailed),
  refundMade: told(refundMade),
  reminder: told(reminder),
  reportsWait: told(reportsWait),
  saleMade: told(saleMade),
  saleRefunded: told(saleRefunded),
  saleRefundFailed: told(saleRefundFailed),
  salesMade: told(salesMade),
  weekOver: told(weekOver),
  secretKeyCreated: told(secretKeyCreated),
  standing: told(standing),
  takeDown: told(takeDown),
  twoFactorOff: told(twoFactorOff),
  verification: told(verification),
};

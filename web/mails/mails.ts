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
  refundMade,
  reminder,
} from './receipts.tsx';
import { doublePayment, fileRefused, paymentDisputed, saleRefunded } from './sale-notices.tsx';
import { saleMade, salesMade, weekOver } from './sold-notices.tsx';
import { contentTakenDown, reportsWait, takeDown } from './take-down-mails.tsx';

/** Written in the language in which its buyer bought. */
const toBuyer =
  <Input extends { language: Language }>(write: (input: Input) => Mail) =>
  (input: Input) =>
    inLanguage(input.language, () => write(input));

/** Every email the product sends. */
export const mails: Mails = {
  accessCode: toBuyer(accessCode),
  accountDeleted,
  accountExists,
  cartReceipt: toBuyer(cartReceipt),
  contentTakenDown: toBuyer(contentTakenDown),
  doublePayment,
  emailChange,
  emailChanged,
  fileRefused,
  hookEnded,
  invitation,
  newVersion: toBuyer(newVersion),
  passkeyAdded,
  passwordChanged,
  passwordReset,
  paymentDisputed,
  paymentFailed: toBuyer(paymentFailed),
  paymentReturned: toBuyer(paymentReturned),
  payoutNotice,
  payoutsHeld,
  payoutWaits,
  purchases: toBuyer(purchases),
  receipt: toBuyer(receipt),
  refundMade: toBuyer(refundMade),
  reminder: toBuyer(reminder),
  reportsWait,
  saleMade,
  saleRefunded,
  salesMade,
  weekOver,
  secretKeyCreated,
  standing,
  takeDown,
  twoFactorOff,
  verification,
};

import type {
  AccessCodeInput,
  CartReceiptInput,
  ContentTakenDownInput,
  DoublePaymentInput,
  FileRefusedInput,
  GiftInput,
  GiftReceiptInput,
  HookEndedInput,
  InvitationInput,
  Mail,
  NewVersionInput,
  PaymentDisputedInput,
  PaymentFailedInput,
  PaymentReturnedInput,
  PayoutNoticeInput,
  PayoutsHeldInput,
  PayoutWaitsInput,
  PurchasesInput,
  ReceiptInput,
  RefundFailedInput,
  RefundMadeInput,
  ReminderInput,
  ReportsWaitInput,
  SaleMadeInput,
  SaleRefundedInput,
  SaleRefundFailedInput,
  SalesMadeInput,
  StandingInput,
  TakeDownInput,
  WeekOverInput,
} from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { Signer } from '../lib/signer.ts';
import type { SellerSigner } from '../notifications/choice.ts';
import type { JobHandlers } from '../outbox/worker.ts';
import { sendHookEnded } from './hook-notices.ts';
import { sendInvitation, sendStanding } from './operator-notices.ts';
import { sendPayoutNotice, sendPayoutsHeld, sendPayoutWaits } from './payout-notices.ts';
import {
  sendAccessCode,
  sendCartReceipt,
  sendGift,
  sendPaymentFailed,
  sendPaymentReturned,
  sendPurchases,
  sendReceipt,
  sendReminder,
} from './receipts.ts';
import { createRefundJobs } from './refund-notices.ts';
import { sendDoublePayment, sendFileRefused, sendPaymentDisputed } from './sale-notices.ts';
import type { SendMail } from './smtp.ts';
import { sendSale, sendSales, sendWeek } from './sold-notices.ts';
import { sendContentTakenDown, sendReportsWait, sendTakeDown } from './take-down-notices.ts';
import { announceVersion, sendVersionNotice } from './version-notices.ts';

interface Context {
  db: Database;
  sendMail: SendMail;
  mails: {
    invitation(input: InvitationInput): Mail;
    standing(input: StandingInput): Mail;
    receipt(input: ReceiptInput): Mail;
    cartReceipt(input: CartReceiptInput): Mail;
    gift(input: GiftInput): Mail;
    giftReceipt(input: GiftReceiptInput): Mail;
    reminder(input: ReminderInput): Mail;
    purchases(input: PurchasesInput): Mail;
    accessCode(input: AccessCodeInput): Mail;
    paymentFailed(input: PaymentFailedInput): Mail;
    paymentDisputed(input: PaymentDisputedInput): Mail;
    paymentReturned(input: PaymentReturnedInput): Mail;
    refundMade(input: RefundMadeInput): Mail;
    refundFailed(input: RefundFailedInput): Mail;
    saleRefunded(input: SaleRefundedInput): Mail;
    saleRefundFailed(input: SaleRefundFailedInput): Mail;
    doublePayment(input: DoublePaymentInput): Mail;
    fileRefused(input: FileRefusedInput): Mail;
    takeDown(input: TakeDownInput): Mail;
    contentTakenDown(input: ContentTakenDownInput): Mail;
    reportsWait(input: ReportsWaitInput): Mail;
    payoutNotice(input: PayoutNoticeInput): Mail;
    payoutWaits(input: PayoutWaitsInput): Mail;
    payoutsHeld(input: PayoutsHeldInput): Mail;
    hookEnded(input: HookEndedInput): Mail;
    newVersion(input: NewVersionInput): Mail;
    saleMade(input: SaleMadeInput): Mail;
    salesMade(input: SalesMadeInput): Mail;
    weekOver(input: WeekOverInput): Mail;
  };
  personalSigner: Signer<{ grantId: string }>;
  updatesSigner: Signer<{ grantId: string }>;
  giftSigner: Signer<{ purchaseId: string }>;
  returnSigner: Signer<{ purchaseId: string; mailed: boolean }>;
  purchasesSigner: Signer<{ purchaseId: string; expiresAt: number }>;
  invitationSigner: Signer<{ invitationId: string }>;
  /** Of the addresses that end emails to sellers. */
  sellerSigner: SellerSigner;
  /** Of a code for one more browser. */
  hashCode(grantId: string, code: string): string;
  now: () => number;
  /** Origin without a trailing slash. */
  publicUrl: string;
  supportEmail: string | null;
  /** Whether only the operator sells. */
  isSolo: boolean;
  mode: 'test' | 'live';
  /** How long a sale is pending. */
  holdMs: number;
  operatorEmails: string[];
  /** Who runs the site, as its settings say. */
  operator: { name: string | null; address: string | null };
}

type MailJob =
  | 'send-invitation'
  | 'send-standing'
  | 'send-receipt'
  | 'send-cart-receipt'
  | 'send-gift'
  | 'send-reminder'
  | 'send-purchases'
  | 'send-access-code'
  | 'send-payment-failed'
  | 'send-payment-disputed'
  | 'send-payment-returned'
  | 'send-refund'
  | 'send-sale-refunded'
  | 'send-refund-failed'
  | 'send-sale-refund-failed'
  | 'send-double-payment'
  | 'send-file-refused'
  | 'send-take-down'
  | 'send-content-taken-down'
  | 'send-reports-wait'
  | 'send-payout-notice'
  | 'send-payout-waits'
  | 'send-payouts-held'
  | 'send-hook-ended'
  | 'send-sale'
  | 'send-sales'
  | 'send-week'
  | 'announce-version'
  | 'send-version-notice';

/** What buyers and sellers are mailed of a purchase, and creators of a file or a payout. */
export function createMailJobs({
  db,
  sendMail,
  mails,
  personalSigner: signer,
  updatesSigner,
  giftSigner,
  returnSigner,
  purchasesSigner,
  invitationSigner,
  sellerSigner,
  hashCode,
  now,
  publicUrl: origin,
  supportEmail,
  isSolo,
  mode,
  holdMs,
  operatorEmails,
  operator,
}: Context): Pick<JobHandlers, MailJob> {
  const addressesOf = ({ token, updatesToken }: Tokens) => ({
    personalUrl: `${origin}/access/${token}`,
    updatesUrl: `${origin}/updates/${updatesToken}`,
    origin,
  });
  const showBefore = (before: TicketBefore | null) =>
    before && { paidAt: before.paidAt, returnUrl: `${origin}/returns/${before.token}` };
  const writeReceipt = ({
    token,
    updatesToken,
    boughtBefore,
    ...facts
  }: Tokens & ReceiptFacts & { boughtBefore: TicketBefore | null }) =>
    mails.receipt({
      ...{ ...facts, ...addressesOf({ token, updatesToken }), supportEmail, operator },
      boughtBefore: showBefore(boughtBefore),
    });
  const ofSeller = (stopToken: string) => ({
    ...{ origin, supportEmail, isSolo },
    stopUrl: `${origin}/notifications/${stopToken}`,
  });
  return {
    ...createRefundJobs({ db, sendMail, mails, origin, supportEmail, isSolo }),
    'send-invitation': (invitation) =>
      sendInvitation(
        {
          ...{ db, sendMail, signer: invitationSigner },
          writeInvitation: ({ token, ...facts }) =>
            mails.invitation({
              ...{ ...facts, origin, supportEmail },
              invitationUrl: `${origin}/invitations/${token}`,
            }),
        },
        invitation,
      ),
    'send-standing': ({ userId }) =>
      sendStanding(
        {
          ...{ db, sendMail },
          writeStanding: (facts) => mails.standing({ ...facts, origin, supportEmail }),
        },
        userId,
      ),
    'send-receipt': ({ purchaseId }) =>
      sendReceipt(
        {
          ...{ db, sendMail, signer, updatesSigner, giftSigner, returnSigner, writeReceipt, now },
          writeGiftReceipt: ({ giftToken, ...facts }) =>
            mails.giftReceipt({
              ...{ ...facts, origin, supportEmail, operator },
              giftUrl: `${origin}/gifts/${giftToken}`,
            }),
        },
        purchaseId,
      ),
    'send-gift': ({ purchaseId }) =>
      sendGift(
        {
          ...{ db, sendMail, signer, now },
          writeGift: ({ token, ...facts }) =>
            mails.gift({
              ...{ ...facts, origin, supportEmail },
              personalUrl: `${origin}/access/${token}`,
            }),
        },
        purchaseId,
      ),
    'send-cart-receipt': ({ purchaseId }) =>
      sendCartReceipt(
        {
          ...{ db, sendMail, signer, returnSigner, now },
          writeReceipt: ({ lines, paidAt, language }) =>
            mails.cartReceipt({
              lines: lines.map(({ token, boughtBefore, ...line }) => ({
                ...line,
                personalUrl: `${origin}/access/${token}`,
                boughtBefore: showBefore(boughtBefore),
              })),
              ...{ language, paidAt, origin, supportEmail, operator },
            }),
        },
        purchaseId,
      ),
    'send-reminder': ({ purchaseId }) =>
      sendReminder(
        {
          ...{ db, sendMail, signer, now },
          writeReminder: ({ token, ...facts }) =>
            mails.reminder({
              ...{ ...facts, origin, supportEmail },
              personalUrl: `${origin}/access/${token}`,
            }),
        },
        purchaseId,
      ),
    'send-purchases': ({ email }) =>
      sendPurchases(
        {
          ...{ db, sendMail, now, signer: purchasesSigner },
          writePurchases: ({ token, count, language }) =>
            mails.purchases({
              ...{ count, language, origin, supportEmail },
              purchasesUrl: `${origin}/purchases/open/${token}`,
            }),
        },
        email,
      ),
    'send-access-code': ({ grantId }) =>
      sendAccessCode(
        {
          ...{ db, sendMail, hashCode, now },
          writeCode: (facts) => mails.accessCode({ ...facts, origin }),
        },
        grantId,
      ),
    'send-payment-failed': ({ purchaseId }) =>
      sendPaymentFailed(
        {
          db,
          sendMail,
          writePaymentFailed: (facts) => mails.paymentFailed({ ...facts, origin, supportEmail }),
        },
        purchaseId,
      ),
    'send-payment-disputed': ({ purchaseId }) =>
      sendPaymentDisputed(
        {
          db,
          sendMail,
          writePaymentDisputed: (facts) =>
            mails.paymentDisputed({ ...facts, origin, supportEmail, isSolo }),
        },
        purchaseId,
      ),
    'send-payment-returned': ({ purchaseId }) =>
      sendPaymentReturned(
        {
          db,
          sendMail,
          writePaymentReturned: (facts) =>
            mails.paymentReturned({ ...facts, origin, supportEmail }),
        },
        purchaseId,
      ),
    'send-double-payment': ({ purchaseId }) =>
      sendDoublePayment(
        {
          db,
          sendMail,
          writeDoublePayment: (facts) =>
            mails.doublePayment({ ...facts, origin, supportEmail, isSolo }),
        },
        purchaseId,
      ),
    'send-file-refused': ({ blob }) =>
      sendFileRefused(
        {
          db,
          sendMail,
          writeFileRefused: (facts) => mails.fileRefused({ ...facts, origin, supportEmail }),
        },
        blob,
      ),
    'send-take-down': (notice) =>
      sendTakeDown(
        {
          ...{ db, sendMail },
          writeTakeDown: (facts) => mails.takeDown({ ...facts, origin, supportEmail }),
        },
        notice,
      ),
    'send-content-taken-down': (notice) =>
      sendContentTakenDown(
        {
          ...{ db, sendMail },
          write: (facts) => mails.contentTakenDown({ ...facts, origin, supportEmail }),
        },
        notice,
      ),
    'send-reports-wait': () =>
      sendReportsWait({
        ...{ db, sendMail, operatorEmails },
        writeReportsWait: (facts) => mails.reportsWait({ ...facts, origin }),
      }),
    'send-payout-notice': (notice) =>
      sendPayoutNotice(
        {
          db,
          sendMail,
          writePayoutNotice: (facts) => mails.payoutNotice({ ...facts, origin, supportEmail }),
        },
        notice,
      ),
    'send-payout-waits': ({ payoutId }) =>
      sendPayoutWaits(
        {
          ...{ db, sendMail, operatorEmails },
          writePayoutWaits: (facts) => mails.payoutWaits({ ...facts, origin }),
        },
        payoutId,
      ),
    'send-hook-ended': ({ hookId }) =>
      sendHookEnded(
        {
          ...{ db, sendMail },
          writeHookEnded: (facts) => mails.hookEnded({ ...facts, origin, supportEmail }),
        },
        hookId,
      ),
    'send-payouts-held': (held) =>
      sendPayoutsHeld(
        {
          db,
          sendMail,
          writePayoutsHeld: (facts) => mails.payoutsHeld({ ...facts, origin, supportEmail }),
        },
        held,
      ),
    'send-sale': ({ purchaseId }) =>
      sendSale(
        {
          ...{ db, sendMail, sellerSigner },
          writeSale: ({ stopToken, ...facts }) =>
            mails.saleMade({ ...facts, ...ofSeller(stopToken) }),
        },
        purchaseId,
      ),
    'send-sales': (gathering) =>
      sendSales(
        {
          ...{ db, sendMail, sellerSigner },
          writeSales: ({ stopToken, ...facts }) =>
            mails.salesMade({ ...facts, ...ofSeller(stopToken) }),
        },
        gathering,
      ),
    'send-week': (week) =>
      sendWeek(
        {
          ...{ db, sendMail, sellerSigner, mode, holdMs: isSolo ? null : holdMs, now },
          writeWeek: ({ stopToken, ...facts }) =>
            mails.weekOver({ ...facts, ...ofSeller(stopToken) }),
        },
        week,
      ),
    'announce-version': (announcement) => announceVersion({ db, now }, announcement),
    'send-version-notice': (notice) =>
      sendVersionNotice(
        {
          ...{ db, sendMail, signer, updatesSigner },
          writeVersionNotice: ({ token, updatesToken, ...facts }) =>
            mails.newVersion({ ...facts, ...addressesOf({ token, updatesToken }) }),
        },
        notice,
      ),
  };
}

interface Tokens {
  token: string;
  updatesToken: string;
}

interface TicketBefore {
  paidAt: number;
  token: string;
}

type ReceiptFacts = Omit<
  ReceiptInput,
  'personalUrl' | 'boughtBefore' | 'updatesUrl' | 'origin' | 'supportEmail' | 'operator'
>;

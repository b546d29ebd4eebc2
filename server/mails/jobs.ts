import type {
  CodeInput,
  FileRefusedInput,
  Mail,
  PaymentDisputedInput,
  PaymentFailedInput,
  PurchasesInput,
  ReceiptInput,
} from '../../contract/mails.ts';
import type { Database } from '../database/tables.ts';
import type { Signer } from '../lib/signer.ts';
import type { JobHandlers } from '../outbox/worker.ts';
import { sendAccessCode, sendPaymentFailed, sendPurchases, sendReceipt } from './receipts.ts';
import { sendFileRefused, sendPaymentDisputed } from './sale-notices.ts';
import type { SendMail } from './smtp.ts';

interface Context {
  db: Database;
  sendMail: SendMail;
  mails: {
    receipt(input: ReceiptInput): Mail;
    purchases(input: PurchasesInput): Mail;
    accessCode(input: CodeInput & { title: string | null; linkId: string }): Mail;
    paymentFailed(input: PaymentFailedInput): Mail;
    paymentDisputed(input: PaymentDisputedInput): Mail;
    fileRefused(input: FileRefusedInput): Mail;
  };
  personalSigner: Signer<{ grantId: string }>;
  purchasesSigner: Signer<{ purchaseId: string; expiresAt: number }>;
  /** Of a code for one more browser. */
  hashCode(grantId: string, code: string): string;
  now: () => number;
  /** Origin without a trailing slash. */
  publicUrl: string;
  supportEmail: string | null;
}

type MailJob =
  | 'send-receipt'
  | 'send-purchases'
  | 'send-access-code'
  | 'send-payment-failed'
  | 'send-payment-disputed'
  | 'send-file-refused';

/** What buyers and sellers are mailed of a purchase, and creators of a file. */
export function createMailJobs({
  db,
  sendMail,
  mails,
  personalSigner: signer,
  purchasesSigner,
  hashCode,
  now,
  publicUrl: origin,
  supportEmail,
}: Context): Pick<JobHandlers, MailJob> {
  const writeReceipt = ({ token, ...facts }: { token: string } & ReceiptFacts) =>
    mails.receipt({ ...facts, personalUrl: `${origin}/access/${token}`, origin, supportEmail });
  return {
    'send-receipt': ({ purchaseId }) =>
      sendReceipt({ db, sendMail, signer, writeReceipt }, purchaseId),
    'send-purchases': ({ email }) =>
      sendPurchases(
        {
          ...{ db, sendMail, now, signer: purchasesSigner },
          writePurchases: ({ token, count }) =>
            mails.purchases({
              ...{ count, origin, supportEmail },
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
            mails.paymentDisputed({ ...facts, origin, supportEmail }),
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
  };
}

type ReceiptFacts = Omit<ReceiptInput, 'personalUrl' | 'origin' | 'supportEmail'>;

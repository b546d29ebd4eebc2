import type { Language } from '../../../contract/languages.ts';
import type { Mail, MailSite, Mails } from '../../../contract/mails.ts';
import { inLanguage } from '../../languages/in-language.ts';
import * as accountNotices from './account-notices.tsx';
import * as codeMails from './code-mails.tsx';
import * as giftMails from './gift-mails.tsx';
import * as hookNotices from './hook-notices.tsx';
import { inLookOf } from './mail-layout.tsx';
import * as operatorNotices from './operator-notices.tsx';
import * as payoutNotices from './payout-notices.tsx';
import * as receipts from './receipts.tsx';
import * as refundMails from './refund-mails.tsx';
import * as saleNotices from './sale-notices.tsx';
import * as soldNotices from './sold-notices.tsx';
import * as takeDownMails from './take-down-mails.tsx';

/** What these files export are the emails, each by its name, and nothing else. */
const components: Mails = {
  ...accountNotices,
  ...codeMails,
  ...giftMails,
  ...hookNotices,
  ...operatorNotices,
  ...payoutNotices,
  ...receipts,
  ...refundMails,
  ...saleNotices,
  ...soldNotices,
  ...takeDownMails,
};

type Write = (input: MailSite & { language: Language }) => Mail;

const inTheirLanguage =
  (write: Write): Write =>
  (input) =>
    inLanguage(input.language, () => inLookOf(input, () => write(input)));

const written = Object.entries(components).map(([name, write]) => [
  name,
  inTheirLanguage(write as Write),
]);

/** Every email that the product sends, written in the language of who reads it. */
export const mails: Mails = Object.fromEntries(written);

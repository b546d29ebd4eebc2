import type { Mail, Mails } from '../contract/mails.ts';
import type { AccountMails, AccountNotice, Addressee } from './accounts/auth/mails.ts';
import { readableAddress } from './lib/canonical-address.ts';
import type { SendMail } from './mails/smtp.ts';

interface Context {
  sendMail: SendMail;
  mails: Mails;
  origin: string;
  supportEmail: string | null;
}
const CODE_MAILS = {
  'email-verification': 'verification',
  'forget-password': 'passwordReset',
  'change-email': 'emailChange',
} as const;

/** The mails that the account library asks for, in the product's words. */
export function createAccountMails({
  sendMail,
  mails,
  origin,
  supportEmail,
}: Context): AccountMails {
  function writeNotice({ firstName, language }: Addressee, notice: AccountNotice): Mail {
    const input = { firstName, language, origin, supportEmail };
    switch (notice.kind) {
      case 'account-exists':
        return mails.accountExists(input);
      case 'password-changed':
        return mails.passwordChanged({ ...input, ...notice });
      case 'email-changed':
        return mails.emailChanged({
          ...{ ...input, ...notice },
          newEmail: readableAddress(notice.newEmail),
        });
      case 'account-deleted':
        return mails.accountDeleted(input);
      case 'two-factor-off':
        return mails.twoFactorOff(input);
      case 'passkey-added':
        return mails.passkeyAdded(input);
      case 'secret-key-created':
        return mails.secretKeyCreated({ ...input, key: notice.key });
    }
  }

  return {
    sendCode: ({ email, firstName, language }, code, purpose) =>
      sendMail(email, mails[CODE_MAILS[purpose]]({ code, firstName, language, origin })),
    sendNotice: (to, notice) => sendMail(to.email, writeNotice(to, notice)),
  };
}

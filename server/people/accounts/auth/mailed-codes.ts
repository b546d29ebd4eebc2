import { createHmac } from 'node:crypto';
import { emailOTP } from 'better-auth/plugins/email-otp';
import type { SendLetter } from '../../../ground/lib/letter.ts';
import type { MailAllowance } from '../mail-allowance.ts';
import { languageOfVisitor } from './account-language.ts';
import { type Addressee, deliver } from './mails.ts';
import type { AuthLog } from './outages.ts';

/** Seconds. */
const CODE_LIFETIME = 10 * 60;

/** Which email has the code that is asked for. */
const CODE_MAILS = {
  'email-verification': 'verification',
  'forget-password': 'passwordReset',
  'change-email': 'emailChange',
} as const;

export interface CodeOptions {
  secret: string;
  sendLetter: SendLetter;
  /** Null if no email leaves this machine. */
  mailAllowance: MailAllowance | null;
  log: AuthLog;
}

/** Six-digit codes by email: they prove an address and never sign anyone in by themselves. */
export function mailedCodes({ secret, sendLetter, mailAllowance, log }: CodeOptions) {
  return emailOTP({
    otpLength: 6,
    expiresIn: CODE_LIFETIME,
    // The routes count wrong codes by who sends them: a lower number would let a stranger use up
    // the owner's code. While one lives they let fewer through.
    allowedAttempts: 200,
    // A million codes can be hashed in a second: the table must not reveal them without the secret.
    storeOTP: {
      hash: async (code) => createHmac('sha256', `code:${secret}`).update(code).digest('base64url'),
    },
    sendVerificationOnSignUp: true,
    disableSignUp: true,
    changeEmail: { enabled: true },
    async sendVerificationOTP({ email, otp, type }, ctx) {
      if (type === 'sign-in') return;
      const found = await ctx?.context.internalAdapter.findUserByEmail(email);
      const user = found?.user as (Addressee & { emailVerified: boolean }) | undefined;
      const proven = user?.emailVerified ? user : null;
      if (type === 'email-verification' && proven) {
        const facts = { firstName: proven.firstName, language: proven.language };
        await deliver(() => sendLetter({ to: email, mail: 'accountExists', facts }), log);
        return;
      }
      // The routes count the other codes, and say so: here, that would tell of a pending sign-up.
      const isUncounted = type === 'forget-password' && !proven;
      if (isUncounted && mailAllowance && !(await mailAllowance.take(null))) return;
      const language = proven?.language ?? languageOfVisitor(ctx);
      const facts = { language, code: otp, firstName: proven?.firstName ?? null };
      await deliver(() => sendLetter({ to: email, mail: CODE_MAILS[type], facts }), log);
    },
  });
}

import { z } from 'zod';
import type { LimitName } from '../rate-limits.ts';
import type { AuthAnswer } from './call-auth.ts';

export interface AccountRoute {
  method: 'GET' | 'POST';
  /** What the library gets to see of the body; everything else is dropped. */
  body?: z.ZodType<Record<string, unknown>>;
  /** The allowance of the account that a try takes from; given back unless it counts. */
  limit?: { name: LimitName; counts(answer: AuthAnswer): boolean };
}

const email = z
  .string('Enter an e-mail address.')
  .trim()
  .toLowerCase()
  .max(254, 'Enter a valid e-mail address.')
  .pipe(z.email('Enter a valid e-mail address.'));
const password = z.string('Enter a password.').min(1, 'Enter a password.');
const otp = z
  .string('Enter the code.')
  .max(64, 'Enter the code.')
  .transform((code) => code.replace(/\s/g, ''));

const passwordFailures: AccountRoute['limit'] = {
  name: 'passwordFailures',
  counts: ({ code }) => code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_PASSWORD',
};
const codesSent: AccountRoute['limit'] = {
  name: 'codesSent',
  counts: ({ status }) => status === 200,
};
const codeFailures: AccountRoute['limit'] = {
  name: 'codeFailures',
  counts: ({ code }) => code === 'INVALID_OTP' || code === 'TOO_MANY_ATTEMPTS',
};

/** The routes of the account library that are reachable. A path that is missing here answers 404. */
export const ACCOUNT_ROUTES: Record<string, AccountRoute> = {
  ok: { method: 'GET' },
  'sign-up/email': {
    method: 'POST',
    body: z
      .object({ email, password, firstName: z.string('First Name is required.') })
      // The library asks for a name; the product knows one name only.
      .transform((body) => ({ ...body, name: body.firstName })),
    limit: codesSent,
  },
  'email-otp/send-verification-otp': {
    method: 'POST',
    body: z.object({
      email,
      type: z.enum(['email-verification', 'forget-password'], 'Unknown type of code.'),
    }),
    limit: codesSent,
  },
  'email-otp/verify-email': {
    method: 'POST',
    body: z.object({ email, otp }),
    limit: codeFailures,
  },
  'sign-in/email': {
    method: 'POST',
    body: z.object({ email, password }),
    limit: passwordFailures,
  },
  'sign-out': { method: 'POST' },
  'email-otp/request-password-reset': {
    method: 'POST',
    body: z.object({ email }),
    limit: codesSent,
  },
  'email-otp/reset-password': {
    method: 'POST',
    body: z.object({ email, otp, password }),
    limit: codeFailures,
  },
  'change-password': {
    method: 'POST',
    body: z.object({
      currentPassword: password,
      newPassword: password,
      revokeOtherSessions: z.boolean().optional(),
    }),
    limit: passwordFailures,
  },
  'get-session': { method: 'GET' },
  'list-sessions': { method: 'GET' },
  'revoke-session': { method: 'POST', body: z.object({ token: z.string('Which session?') }) },
  'revoke-other-sessions': { method: 'POST' },
};

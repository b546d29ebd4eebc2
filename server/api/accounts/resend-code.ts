import type { FastifyRequest } from 'fastify';
import type { MailAllowance } from '../../domain/accounts/mail-allowance.ts';
import { RateLimited, type RateLimits } from '../rate-limits.ts';
import { codesSent } from './account-routes.ts';
import { type AuthHandler, callAuth } from './call-auth.ts';
import { type Asker, limitKey } from './limit-key.ts';
import { withinMailAllowance } from './within-mail-allowance.ts';

interface Dependencies {
  auth: AuthHandler;
  publicUrl: string;
  limits: RateLimits;
  mailAllowance: MailAllowance | null;
}

/** Mails a new code to who signed in before confirming the address; silent when there were many. */
export async function resendCode(
  { auth, publicUrl, limits, mailAllowance }: Dependencies,
  request: FastifyRequest,
  asker: Asker,
): Promise<void> {
  try {
    for (const limit of codesSent('confirm')) {
      const key = limitKey(limit, asker);
      if (key) await limits.take(limit.name, ...key);
    }
    await withinMailAllowance(mailAllowance, asker.address, () =>
      callAuth(auth, publicUrl, request, {
        method: 'POST',
        path: 'email-otp/send-verification-otp',
        body: { email: asker.account, type: 'email-verification' },
      }),
    );
  } catch (error) {
    if (error instanceof RateLimited) return;
    throw error;
  }
}

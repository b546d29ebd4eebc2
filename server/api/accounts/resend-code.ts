import type { FastifyRequest } from 'fastify';
import { addressKey, RateLimited, type RateLimits } from '../rate-limits.ts';
import { codesSent } from './account-routes.ts';
import { type AuthHandler, callAuth } from './call-auth.ts';
import { limitKey } from './limit-key.ts';

interface Dependencies {
  auth: AuthHandler;
  publicUrl: string;
  limits: RateLimits;
}

/** Mails a new code to who signed in before confirming the address; silent when there were many. */
export async function resendCode(
  { auth, publicUrl, limits }: Dependencies,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  try {
    for (const limit of codesSent('confirm')) {
      await limits.take(limit.name, limitKey(limit, email, addressKey(request.ip)));
    }
  } catch (error) {
    if (error instanceof RateLimited) return;
    throw error;
  }
  await callAuth(auth, publicUrl, request, {
    method: 'POST',
    path: 'email-otp/send-verification-otp',
    body: { email, type: 'email-verification' },
  });
}

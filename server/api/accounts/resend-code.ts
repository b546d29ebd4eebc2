import type { FastifyRequest } from 'fastify';
import { RateLimited, type RateLimits } from '../rate-limits.ts';
import { type AuthHandler, callAuth } from './call-auth.ts';

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
    await limits.take('codesSent', email);
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

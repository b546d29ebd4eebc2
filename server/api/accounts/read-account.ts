import type { FastifyRequest } from 'fastify';
import type { AccountDetails } from '../../../contract/account-details.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { type AuthHandler, callAuth } from './call-auth.ts';

/** What the account page shows to who is signed in. @throws DomainError UNAUTHORIZED */
export async function readAccount(
  auth: AuthHandler,
  publicUrl: string,
  request: FastifyRequest,
): Promise<AccountDetails> {
  const call = { method: 'GET', path: 'account-details' } as const;
  const { status, body } = await callAuth(auth, publicUrl, request, call);
  if (status !== 200) throw new DomainError('UNAUTHORIZED', 'Sign in first.');
  return JSON.parse(body);
}

import type { BetterAuthPlugin } from 'better-auth';
import { APIError, getSessionFromCtx } from 'better-auth/api';
import { asFact, keepFact } from '../../../../contract/fact.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { canonicalAddress } from '../../../ground/lib/canonical-address.ts';
import { DomainError } from '../../../ground/lib/domain-error.ts';
import { deleteAccount } from '../delete-account.ts';
import { onPath } from './hooks.ts';
import { proveIdentity } from './prove-identity.ts';

/** Lets only its owner delete an account, and only by typing its address. */
export const deletionGuard = {
  id: 'deletion-guard',
  hooks: {
    before: [
      onPath('/delete-user', async (ctx) => {
        const signedIn = await getSessionFromCtx(ctx);
        if (!signedIn) return;
        if (canonicalAddress(ctx.body.confirmation) !== canonicalAddress(signedIn.user.email)) {
          throw APIError.from('BAD_REQUEST', { code: 'NOT_CONFIRMED', message: 'Not confirmed' });
        }
        await proveIdentity(ctx, signedIn, ctx.body.password);
      }),
    ],
  },
} satisfies BetterAuthPlugin;

/** The product deletes; what the library deletes afterwards is gone already. */
export function deletionBy(db: Database) {
  return {
    enabled: true,
    async beforeDelete({ id }: { id: string }) {
      try {
        await deleteAccount({ db, now: Date.now }, id);
      } catch (error) {
        const isRefusal = error instanceof DomainError && error.code === 'ACCOUNT_NOT_SETTLED';
        if (!isRefusal) throw error;
        const { code, said } = error;
        throw APIError.from('CONFLICT', { code, message: keepFact(asFact(said)) });
      }
    },
  };
}

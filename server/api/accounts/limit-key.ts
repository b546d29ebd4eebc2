import type { AccountLimit } from './account-routes.ts';

/** What a limit counts by: an account, for one use of its codes and from one visitor if it says so. */
export function limitKey(
  { use, isOfVisitor }: Pick<AccountLimit, 'use' | 'isOfVisitor'>,
  account: string,
  address: string,
): string {
  return JSON.stringify([account, use, isOfVisitor && address]);
}

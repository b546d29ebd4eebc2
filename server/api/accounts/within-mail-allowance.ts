import type { MailAllowance } from '../../domain/accounts/mail-allowance.ts';
import { RateLimited } from '../rate-limits.ts';
import type { AuthAnswer } from './call-auth.ts';

const NO_MORE_MAILS = 'No more codes can be mailed today. Please try again tomorrow.';

/**
 * Refused alike for every address, known or not: whether it was mailed at all is not told either.
 * @throws RateLimited when no more may be mailed today
 */
export async function withinMailAllowance(
  allowance: MailAllowance | null,
  visitor: string,
  call: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  if (!allowance) return call();
  const giveBack = await allowance.take(visitor);
  if (!giveBack) throw new RateLimited(allowance.renewedIn(), NO_MORE_MAILS);
  let sent = false;
  try {
    const answer = await call();
    sent = answer.status === 200;
    return answer;
  } finally {
    if (!sent) await giveBack();
  }
}

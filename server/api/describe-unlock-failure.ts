import type { ErrorCode } from '../../contract/error-codes.ts';
import { TEXTS } from '../../contract/texts.ts';
import { toProblem } from './error-mapping.ts';
import type { PaywallError } from './pages/render-paywall.ts';

/**
 * What the paywall page says of an error, with JavaScript or without. Refusals of these codes have
 * words of their own; every other error is the generic message (specification §8).
 */
export function describeUnlockFailure(error: unknown, spoken: readonly ErrorCode[]): PaywallError {
  const { status, code, detail } = toProblem(error);
  if (spoken.includes(code)) return { status, message: detail };
  return { status, message: TEXTS.unlockFailed, hint: detail };
}

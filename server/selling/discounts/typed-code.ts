import { type CountGuess, tidyCode } from './use-discount.ts';

/** A discount code as a visitor has typed it, which may be a guess. */
export interface TypedCode {
  code: string;
  countGuess: CountGuess;
}

/** What it takes of `RateLimits`, which this room does not know. */
interface Guesses {
  take(
    name: 'discountGuesses' | 'discountGuessesOfAddress' | 'discountGuessesOfLink',
    of: string,
    from?: string,
  ): Promise<() => void>;
}

/**
 * @param visitor their address as limits count it, and the hash of their claim, if they have one
 * @returns undefined where nothing was typed
 */
export function readTypedCode(
  limits: Guesses,
  typed: string | null | undefined,
  { address, claimHash }: { address: string; claimHash: string | null },
): TypedCode | undefined {
  const code = tidyCode(typed ?? '');
  if (!code) return undefined;
  async function countGuess(linkId: string) {
    const taken = [await limits.take('discountGuessesOfAddress', address)];
    const giveBack = () => {
      for (const one of taken) one();
    };
    try {
      if (claimHash) taken.push(await limits.take('discountGuesses', claimHash, address));
      taken.push(await limits.take('discountGuessesOfLink', linkId));
    } catch (error) {
      giveBack();
      throw error;
    }
    return giveBack;
  }
  return { code, countGuess };
}

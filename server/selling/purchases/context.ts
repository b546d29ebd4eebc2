import type { Language } from '../../../contract/languages.ts';
import type { FeeRate } from '../../../contract/money.ts';
import type { ViewCounter } from '../../books/statistics/view-counter.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { type FulfilmentContext, fulfilPurchase } from './fulfil-purchase.ts';
import type { Visitor } from './queries.ts';
import type { Purchase } from './tables.ts';

/** From where somebody buys or downloads, for evidence in a dispute. */
interface Device {
  /** A network address. */
  address: string;
  /** "Firefox on Windows". */
  browser: string;
}

export interface CheckoutContext extends FulfilmentContext {
  fee: FeeRate;
  /** Whether the provider adds taxes to prices at the checkout. */
  tax: boolean;
  /** Cents: the least that the provider charges a card. */
  providerMinimumCents: number;
  /** @throws DomainError NOT_A_SELLER for an account that may not sell */
  requireSeller(accountId: string): Promise<void>;
  store: Pick<FileStore, 'sizeOf'>;
  views: Pick<ViewCounter, 'ofCheckout'>;
  /** Origin without a trailing slash. */
  publicUrl: string;
}

/** Who asks, and where the money goes: what a checkout must fit to be offered to them. */
export interface CheckoutParty {
  viewer: Viewer;
  visitor: Visitor;
  device: Device & {
    language: Language;
    /** What their views are counted by; neither is stored. */
    visit: { address: string; agent: string };
  };
  /** The provider's account. */
  account: string;
}

/**
 * Ends a checkout at the provider, so that it cannot be paid any more. One that was paid meanwhile
 * settles instead.
 * @returns the purchase as it is now, or null when the provider or we know no such session
 */
export async function closeCheckout(
  context: FulfilmentContext,
  sessionId: string,
): Promise<Purchase | null> {
  await context.provider.expireCheckout(sessionId);
  return fulfilPurchase(context, sessionId);
}

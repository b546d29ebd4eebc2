import type { FeeRate } from '../../../contract/money.ts';
import type { Viewer } from '../accounts/viewer.ts';
import type { FileStore } from '../files/file-store.ts';
import type { FulfilmentContext } from './fulfil-purchase.ts';
import type { Visitor } from './rival-purchases.ts';

export interface CheckoutContext extends FulfilmentContext {
  fee: FeeRate;
  store: Pick<FileStore, 'sizeOf'>;
  /** Origin without a trailing slash. */
  publicUrl: string;
}

/** Who asks, and where the money goes: what a checkout must fit to be offered to them. */
export interface CheckoutParty {
  viewer: Viewer;
  visitor: Visitor;
  /** The provider's account. */
  account: string;
}

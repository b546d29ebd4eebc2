import type { WayToPay } from '../../../contract/ways-to-pay.ts';
import type { CardProvider } from '../purchases/card-provider.ts';

/** What the provider offers to buyers, as it was last asked. */
export class WaysToPay {
  #provider: Pick<CardProvider, 'listWaysToPay'>;
  #known: WayToPay[] = [];
  #tell: () => void = () => {};

  constructor(provider: Pick<CardProvider, 'listWaysToPay'>) {
    this.#provider = provider;
  }

  /** None before the provider was asked. */
  list = (): WayToPay[] => this.#known;

  whenChanged(tell: () => void): void {
    this.#tell = tell;
  }

  /** Asks the provider. */
  async read(): Promise<void> {
    const offered = await this.#provider.listWaysToPay();
    if (`${offered}` === `${this.#known}`) return;
    this.#known = offered;
    this.#tell();
  }
}

import { PadlinkError } from './errors.ts';
import type {
  CheckoutAddress,
  CheckoutRequest,
  Cover,
  FileAddress,
  FilePage,
  License,
  LicenseCheck,
  LicenseDevice,
  Offer,
} from './generated/calls.ts';
import * as operations from './generated/operations.ts';
import { type CallOptions, type ClientOptions, post, Transport } from './transport.ts';
import { type UploadData, type UploadOptions, upload } from './upload.ts';

type Page<Item> = { items: Item[]; nextToken?: string | null };

export interface ListLinks extends CallOptions {
  /** Your own alone, unless false. */
  mine?: boolean;
  /** Words of title and description. */
  search?: string;
  sort?: 'newest' | 'oldest' | 'cheapest' | 'dearest';
  filter?: operations.ModelPaywallLinkFilterInput;
}

export interface ListSales extends CallOptions {
  sort?: 'newest' | 'oldest' | 'dearest';
  /** Only those that had not arrived after two days. */
  undelivered?: boolean;
}

export interface Refund {
  /** The id of a sale. */
  sale: string;
  /** Cents; all that is left unless given. */
  amount?: number;
  /** Kept with the payment provider and shown in the list of sales. */
  reason: string;
}

export type CheckoutOptions = CallOptions & Omit<CheckoutRequest, 'paywallId'>;

export interface Checkout {
  /** Where a person pays; the content itself, where nothing has to be paid. */
  url: string;
  /**
   * The cookie that the purchase will belong to: keep it, and keep it secret. Null in browsers, which
   * keep it themselves.
   */
  claim: string | null;
}

export interface ContentOptions extends CallOptions {
  /** Of the checkout; browsers send it themselves. */
  claim?: string | null;
  /** Another version than the one that was bought. */
  version?: number;
  /** Which file, from 0 on. */
  file?: number;
}

/**
 * A shop, as programs see it. Amounts are cents, times ISO 8601. Every call rejects with a
 * PadlinkError, or with the reason of its `signal`.
 */
export class Padlink {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** What is on sale. A key to `sell`; one to `read` sees it. */
  readonly links = {
    create: (
      input: operations.CreatePaywallLinkInput,
      options?: CallOptions,
    ): Promise<operations.Link> => this.#transport.ask(operations.createLink, { input }, options),
    /** Changes what is given, and nothing else. */
    update: (
      id: string,
      changes: Omit<operations.UpdatePaywallLinkInput, 'id'>,
      options?: CallOptions,
    ): Promise<operations.Link> => {
      const input = { ...changes, id };
      return this.#transport.ask(operations.updateLink, { input }, options, !changes.tellBuyers);
    },
    /** Null where there is none. */
    get: (id: string, options?: CallOptions): Promise<operations.Link | null> =>
      this.#transport.ask(operations.getLink, { id }, options),
    list: ({ signal, mine = true, ...rest }: ListLinks = {}): AsyncGenerator<operations.Link> =>
      pages((nextToken) =>
        this.#transport.ask(operations.listLinks, { ...rest, mine, nextToken }, { signal }),
      ),
    /** Those that can be put back on sale, the last one first. */
    listDeleted: (options?: CallOptions): AsyncGenerator<operations.Link> =>
      pages((nextToken) =>
        this.#transport.ask(operations.listDeletedLinks, { nextToken }, options),
      ),
    /** Takes it off sale; buyers keep what they bought. */
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      await this.#transport.ask(operations.deleteLink, { id }, options);
    },
    restore: (id: string, options?: CallOptions): Promise<operations.Link> =>
      this.#transport.ask(operations.restoreLink, { id }, options),
    /** A picture: PNG, JPEG, WebP, AVIF or GIF. */
    setCover: (id: string, picture: Blob | Uint8Array, options?: CallOptions): Promise<Cover> =>
      this.#transport.json<Cover>(coverOf(id), {
        method: 'PUT',
        body: picture as BodyInit,
        ...options,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    removeCover: async (id: string, options?: CallOptions): Promise<void> => {
      await this.#transport.send(coverOf(id), { method: 'DELETE', ...options });
    },
    /** The address to share. */
    pageOf: ({ id }: { id: string }): string => `${this.#transport.origin}/p/${id}`,
  };

  /** What is sold. A key to `sell`; one to `read` sees it. */
  readonly files = {
    /** Its `key` is what a link is created with. */
    upload: (data: UploadData, options: UploadOptions): Promise<{ key: string; size: number }> =>
      upload(this.#transport, data, options),
    list: (options?: CallOptions): AsyncGenerator<FilePage['items'][number]> =>
      pages((after) =>
        this.#transport.json<FilePage>(
          `/storage/list${after ? `?${new URLSearchParams({ after })}` : ''}`,
          options,
        ),
      ),
    /** Where it can be fetched for a while. */
    urlOf: async (key: string, options?: CallOptions): Promise<string> => {
      const path = `/storage/url?${new URLSearchParams({ key })}`;
      return (await this.#transport.json<FileAddress>(path, options)).url;
    },
    delete: async (key: string, options?: CallOptions): Promise<void> => {
      const path = `/storage?${new URLSearchParams({ key })}`;
      await this.#transport.send(path, { method: 'DELETE', ...options });
    },
  };

  /** What was sold. A key to `read`. */
  readonly sales = {
    list: ({ signal, ...rest }: ListSales = {}): AsyncGenerator<operations.Sale> =>
      pages((nextToken) =>
        this.#transport.ask(operations.listSales, { ...rest, nextToken }, { signal }),
      ),
    /** How many had not arrived after two days. */
    countUndelivered: (options?: CallOptions): Promise<number> =>
      this.#transport.ask(operations.countUndelivered, {}, options),
    /** The last 1 to 366 UTC days, oldest first. */
    byDay: (days: number, options?: CallOptions): Promise<operations.SalesDay[]> =>
      this.#transport.ask(operations.listSalesByDay, { days }, options),
    /** Where visitors came from in so many days, to one link or all. */
    bySource: (
      { days, linkId }: { days: number; linkId?: string },
      options?: CallOptions,
    ): Promise<operations.LinkSource[]> =>
      this.#transport.ask(operations.listSources, { days, linkId }, options),
  };

  /** What is given back. A key to `refund`. */
  readonly refunds = {
    /** What one would cost whom. */
    quote: (
      { sale, amount }: Omit<Refund, 'reason'>,
      options?: CallOptions,
    ): Promise<operations.RefundQuote> =>
      this.#transport.ask(operations.quoteRefund, { sale, amount }, options),
    /** The sale as it is then. A refund of it that is `pending` may still fail. */
    create: (refund: Refund, options?: CallOptions): Promise<operations.Sale> =>
      this.#transport.ask(operations.createRefund, refund, options),
  };

  /** What is owed. A key to `read`. */
  readonly money = {
    get: (options?: CallOptions): Promise<operations.Money> =>
      this.#transport.ask(operations.getMoney, {}, options),
    payouts: (options?: CallOptions): AsyncGenerator<operations.Payout> =>
      pages((nextToken) => this.#transport.ask(operations.listPayouts, { nextToken }, options)),
  };

  /** For programs that buy: without a key. */
  readonly offers = {
    get: (id: string, options?: CallOptions): Promise<Offer> =>
      this.#transport.json<Offer>(`/p/${encodeURIComponent(id)}/offer.json`, {
        isAnonymous: true,
        ...options,
      }),
  };

  readonly checkout = {
    /** Begins one, for whoever has its claim then. */
    create: async (id: string, { signal, ...wish }: CheckoutOptions = {}): Promise<Checkout> => {
      const call = { ...post({ ...wish, paywallId: id }), isAnonymous: true, signal };
      const response = await this.#transport.send('/prod/checkout', call);
      const { url } = await this.#transport.read<CheckoutAddress>(response, signal);
      if (!url) {
        const message = 'The shop does not say where to pay.';
        throw new PadlinkError('CHECKOUT_UNAVAILABLE', message, { status: 502 });
      }
      const cookies = response.headers.getSetCookie();
      const claim = cookies.find((cookie) => cookie.includes('padlink_claim='));
      return { url, claim: claim?.split(';')[0] ?? null };
    },
    /**
     * Where what was bought can be fetched for a while: a download, or the web address. A payment
     * takes a moment to arrive.
     * @throws PadlinkError FORBIDDEN until it has
     */
    contentOf: async (
      id: string,
      { claim, version, file, signal }: ContentOptions = {},
    ): Promise<string> => {
      const given = Object.entries({ version, file }).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      const page = `/p/${encodeURIComponent(id)}`;
      const response = await this.#transport.send(`${page}/content?${query}`, {
        isAnonymous: true,
        headers: claim ? { cookie: claim } : undefined,
        signal,
      });
      const target = response.headers.get('location') ?? page;
      if (target === page) {
        const message = 'This is not paid for, or the payment is on its way.';
        throw new PadlinkError('FORBIDDEN', message, { status: 403 });
      }
      return new URL(target, this.#transport.origin).href;
    },
  };

  /** For programs that were sold: without a key of the shop. */
  readonly licenses = {
    /** What a license key is worth now. Activates it on a device, if one is named. */
    verify: (check: LicenseCheck, options?: CallOptions): Promise<License> =>
      this.#license('verify', check, options),
    /** Frees a device for another one. */
    deactivate: (device: LicenseDevice, options?: CallOptions): Promise<License> =>
      this.#license('deactivate', device, options),
  };

  #license(call: string, body: object, options?: CallOptions): Promise<License> {
    const asked = { ...post(body), isAnonymous: true, ...options };
    return this.#transport.json<License>(`/licenses/${call}`, asked);
  }

  /**
   * Any other query or mutation of the schema.
   * @param isRepeatable whether it may be sent again where the shop was busy
   */
  async graphql<Data>(
    query: string,
    variables: Record<string, unknown> = {},
    { isRepeatable = false, signal }: CallOptions & { isRepeatable?: boolean } = {},
  ): Promise<Data> {
    return (await this.#transport.graphql({ query, variables }, signal, isRepeatable)) as Data;
  }
}

function coverOf(id: string): string {
  return `/p/${encodeURIComponent(id)}/cover`;
}

/** One item after the other, asking for a page when it is needed. */
async function* pages<Item>(
  read: (nextToken: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let nextToken: string | null | undefined;
  do {
    const page = await read(nextToken ?? undefined);
    yield* page.items;
    nextToken = page.nextToken;
  } while (nextToken);
}

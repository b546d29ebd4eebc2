/**
 * Something that was committed, for the log and the figures of this process. It carries ids and
 * amounts only: nothing that names a person or opens anything.
 */
export type Note =
  | {
      kind: 'booked';
      /** The kind of the ledger entry, such as a sale or a refund. */
      entry: string;
      /** What the entry is booked for, such as sale:pi_123. */
      cause: string;
      mode: 'test' | 'live';
      purchase: string | null;
      link: string | null;
      /** Signed cents by account: positive credits it. */
      cents: Record<string, number>;
      currency: string;
    }
  | {
      kind: 'delivered';
      grant: string;
      /** Of the file. */
      link: string | null;
      outcome: string;
      bytes: number;
    };

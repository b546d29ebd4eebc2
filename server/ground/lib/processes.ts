/**
 * What the processes on one database have in common. Only PostgreSQL has several: where the
 * database is a file, none of this is there.
 */
export interface Processes {
  leases: Leases;
  counts: SharedCounts;
  /** Forgets what has ended. */
  sweep(): Promise<void>;
}

/**
 * What one process at a time may do. A lease is renewed while it is held, and is free again 6 s
 * after its process was killed. The database's clock counts, so that those of machines may differ.
 */
export interface Leases {
  /** Whether it is this process's turn, which no other has in the next so many milliseconds. */
  turn(name: string, ms: number): Promise<boolean>;
  /**
   * Waits for a lease, and asks whoever holds it to give it back.
   * @param giveBack called as soon as another process asks, or the lease was lost
   * @throws DomainError UNAVAILABLE if its holder keeps it for too long
   */
  acquire(name: string, giveBack: () => void): Promise<AsyncDisposable>;
  /**
   * Leads the others in something, or follows the one that does and takes its place when it is
   * gone.
   * @param place where the leader keeps what it leads in: a new one goes on there
   */
  lead(name: string, place: string): Promise<Leadership>;
}

export interface Leadership {
  /** Where the leader keeps what it leads in, which may be another process. */
  place: string;
  /** Begins the leader's work here, at once or when the other leader is gone. */
  work(begin: () => () => Promise<void>): void;
  /** Ends the work here and lets another process lead. */
  close(): Promise<void>;
}

/** How often something was done in a time that ends then, UTC milliseconds. */
export interface SharedCount {
  taken: number;
  endsAt: number;
}

/** Counts in the memory of each process that are brought together a few times a second. */
export interface SharedCounts {
  /** Notes a change of this process's copy, which is then brought up to date with the others'. */
  changed(name: string, by: number, count: SharedCount): void;
}

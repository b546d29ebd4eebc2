/**
 * Something that is committed and that readers may want to look at. It carries ids only: whoever
 * is told reads the row again, with the reader's own authority.
 */
export type Change =
  | {
      kind: 'link-created' | 'link-updated' | 'link-deleted' | 'link-taken-down';
      id: string;
      ownerId: string;
    }
  /** A grant to the link began, was suspended or ended. `id` is the link's. */
  | { kind: 'access-changed'; id: string; ownerId: string; grantId: string }
  /** A payment for the link is under way, or failed. `id` is the link's. */
  | { kind: 'payment-changed'; id: string; ownerId: string; purchaseId: string }
  /** `id` is the purchase's. */
  | { kind: 'sale-made'; id: string; ownerId: string }
  /** `id` is the owner's as well. */
  | { kind: 'balance-changed' | 'seller-changed' | 'session-ended'; id: string; ownerId: string };

/** Told after the commit; neither waits nor throws. */
export type Publish = (change: Change) => void;

/** Tells the servers on a database of what a command changes in it. */
export interface Announcer {
  publish: Publish;
  /** Resolves when all that was published has been told; never rejects. */
  told(): Promise<void>;
}

export interface ChangeListener {
  changed(change: Change): void;
  /** Changes of other processes may have been missed: what was kept is to be read again. */
  missed(): void;
}

export interface Changes {
  publish: Publish;
  /** @returns ends it */
  subscribe(listener: Partial<ChangeListener>): () => void;
}

/** The changes of this process. */
export function createLocalChanges(): Changes & Pick<ChangeListener, 'missed'> {
  const listeners = new Set<Partial<ChangeListener>>();
  return {
    publish(change) {
      for (const listener of listeners) listener.changed?.(change);
    },
    missed() {
      for (const listener of listeners) listener.missed?.();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

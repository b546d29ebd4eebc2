/** A school shares one address; each open page holds one socket. */
const MAX_SOCKETS_PER_ADDRESS = 100;

export interface SocketCounts {
  /** @returns gives the place back; null when the address has no more */
  take(address: string): (() => void) | null;
}

/** How many sockets each address holds open. */
export function createSocketCounts(): SocketCounts {
  const counts = new Map<string, number>();
  return {
    take(address) {
      const held = counts.get(address) ?? 0;
      if (held >= MAX_SOCKETS_PER_ADDRESS) return null;
      counts.set(address, held + 1);
      return () => {
        const left = (counts.get(address) ?? 1) - 1;
        if (left === 0) counts.delete(address);
        else counts.set(address, left);
      };
    },
  };
}

const PREFIX = 'played:';

/** @param address of what is played. @returns how far it was played here, in seconds; 0 for not yet */
export function readPlayed(address: string): number {
  try {
    return Number(localStorage.getItem(PREFIX + address));
  } catch {
    return 0;
  }
}

/** A browser that keeps nothing plays all the same. @param seconds null for nothing to go on from */
export function keepPlayed(address: string, seconds: number | null): void {
  try {
    if (seconds === null) localStorage.removeItem(PREFIX + address);
    else localStorage.setItem(PREFIX + address, String(seconds));
  } catch {}
}

/** Whoever sits here next is not told what was heard, nor how far. */
export function forgetPlayed(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) localStorage.removeItem(key);
    }
  } catch {}
}

/**
 * Counts what each holds at once, such as the connections of an address.
 * @returns takes a place for somebody, and returns what gives it back; null where they have no more
 */
export function createPlaces(most: number) {
  const held = new Map<string, number>();
  return (holder: string): (() => void) | null => {
    const before = held.get(holder) ?? 0;
    if (before >= most) return null;
    held.set(holder, before + 1);
    return () => {
      const left = (held.get(holder) ?? 1) - 1;
      if (left === 0) held.delete(holder);
      else held.set(holder, left);
    };
  };
}

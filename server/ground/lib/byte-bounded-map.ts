interface Weighed<Value> {
  value: Value;
  bytes: number;
  /** Since it was put into its place. */
  isUsed: boolean;
}

/** What an entry takes besides its bytes, about. */
const ENTRY_BYTES = 512;

/**
 * Keeps what was used last, about, of at most so many bytes in all: what was used since it came, or
 * since its turn to go, is passed over once. To move it at each use would cost more than to find it.
 */
export class ByteBoundedMap<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Weighed<Value>>();
  #bytes = 0;

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** @param bytes what the value takes; more than there is room for is not kept */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    const entry = { value, bytes: bytes + ENTRY_BYTES, isUsed: false };
    // What is passed over is met again at the end.
    for (const [oldest, { isUsed }] of this.#entries) {
      if (this.#bytes + entry.bytes <= this.#capacity) break;
      if (isUsed) this.#passOver(oldest);
      else this.delete(oldest);
    }
    if (this.#bytes + entry.bytes > this.#capacity) return;
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #passOver(key: string): void {
    const entry = this.#entries.get(key) as Weighed<Value>;
    this.#entries.delete(key);
    this.#entries.set(key, { ...entry, isUsed: false });
  }

  /** Sets what is still being made: it weighs nothing until then, and goes when that fails. */
  setSoon(key: string, value: Value, bytes: Promise<number>): void {
    this.set(key, value, 0);
    const isThere = () => this.#entries.get(key)?.value === value;
    bytes.then(
      (known) => isThere() && this.set(key, value, known),
      () => isThere() && this.delete(key),
    );
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  *entries(): Generator<[string, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }
}

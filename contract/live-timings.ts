/** Timings of live updates (specification §9), in milliseconds. */
export const LIVE_TIMINGS = {
  /** From the opened socket to `connection_ack`. */
  connectionAckMs: 15_000,
  /** From `subscribe` to the `start_ack` that says it runs. */
  startAckMs: 15_000,
  /**
   * Silence after which a connection is considered lost; the server's own `connectionTimeoutMs`
   * wins.
   */
  connectionTimeoutMs: 300_000,
  /** How often the silence is checked. */
  keepAliveCheckMs: 5_000,
  /** Silence after which a keep-alive counts as missed. */
  keepAliveMissedMs: 65_000,
  /** From a lost connection to the first attempt, and from then on from one to the next. */
  reconnectFirstMs: 5_000,
  reconnectMs: 60_000,
};

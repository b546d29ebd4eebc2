/** Milliseconds. Long enough to be calm, short enough to follow a change of network. */
const WINDOW_MS = 8000;
/** Milliseconds that a reading stands, so that it can be read. */
const HOLD_MS = 1000;

/** Bytes per second over the last few seconds; null until there is something to measure. */
export function createSpeedometer() {
  let samples: { at: number; bytes: number }[] = [];
  let reading: { at: number; bytesPerSecond: number } | null = null;
  return (bytes: number, at: number): number | null => {
    samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, bytes }];
    const first = samples[0];
    const holds = reading && at - reading.at < HOLD_MS;
    if (first && !holds && at - first.at >= 500) {
      reading = { at, bytesPerSecond: ((bytes - first.bytes) / (at - first.at)) * 1000 };
    }
    return reading?.bytesPerSecond ?? null;
  };
}

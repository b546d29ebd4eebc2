/** Milliseconds. Long enough to be calm, short enough to follow a change of network. */
const WINDOW_MS = 4000;

/** Bytes per second over the last few seconds; null until there is something to measure. */
export function createSpeedometer() {
  let samples: { at: number; bytes: number }[] = [];
  return (bytes: number, at: number): number | null => {
    samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, bytes }];
    const first = samples[0];
    if (!first || at - first.at < 500) return null;
    return ((bytes - first.bytes) / (at - first.at)) * 1000;
  };
}

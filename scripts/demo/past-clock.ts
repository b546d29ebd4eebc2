const DAY_MS = 24 * 60 * 60 * 1000;

export interface PastClock {
  /** Goes on to so many days ago; 0 is today. */
  goTo(daysAgo: number): void;
}

/** Sets the clock of this process back, and so of the whole product that runs in it. */
export function setClockBack(days: number): PastClock {
  const PresentDate = globalThis.Date;
  let behind = days * DAY_MS;
  const now = () => PresentDate.now() - behind;
  globalThis.Date = new Proxy(PresentDate, {
    construct: (_, parts, target) =>
      Reflect.construct(PresentDate, parts.length === 0 ? [now()] : parts, target),
    get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  });
  return {
    goTo(daysAgo) {
      behind = daysAgo * DAY_MS;
    },
  };
}

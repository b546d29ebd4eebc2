const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * A size in bytes as people read it, on pages and in messages: 1_400_000 -> "1.4 MB". In powers of
 * 1000, as file managers and shops show them.
 */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(unit > 0 && value < 99.95 ? 1 : 0)} ${UNITS[unit]}`;
}

/** A time in UTC milliseconds as sentences say it: "Nov 21, 2026, 06:38 UTC". */
export function formatMoment(time: number): string {
  const moment = new Date(time).toLocaleString('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return `${moment} UTC`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size for people, e.g. 5368709120 -> "5 GiB". */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  return `${Number((bytes / 1024 ** step).toFixed(2))} ${UNITS[step]}`;
}

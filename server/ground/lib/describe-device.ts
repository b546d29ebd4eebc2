import type { FastifyRequest } from 'fastify';

type Names = [pattern: RegExp, name: string][];

/** The first match counts: most browsers also name others for compatibility. */
const BROWSERS: Names = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: Names = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** A person's name for the device that sent this User-Agent: "Firefox on Windows". */
export function describeDevice(userAgent: string): string {
  const find = (names: Names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const named = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined);
  return named.join(' on ') || 'Unknown device';
}

/** From where a request came. */
export function deviceOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>) {
  return { address: ip, browser: describeDevice(headers['user-agent'] ?? '') };
}

import { type Fact, fact, putIntoEnglish, texts } from './fact.ts';

const UNITS = texts(['{count} bytes', '{count} kB', '{count} MB', '{count} GB', '{count} TB']);

/**
 * A size in bytes as people read it, on pages and in messages: 1_400_000 -> "1.4 MB". In powers of
 * 1000, as file managers and shops show them.
 */
export function sizeOf(bytes: number): Fact {
  if (bytes === 1) return fact('1 byte');
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 99.95 ? 1 : 0;
  return fact(UNITS[unit] ?? UNITS[0], { count: { number: value, digits } });
}

export const formatBytes = (bytes: number): string => putIntoEnglish(sizeOf(bytes));

import type { Comparison } from './compare.ts';

/** One line of the report: what Padlink does as a part of what the yardstick does. */
export interface Row extends Comparison {
  name: string;
  unit: 'requests/s' | 'starts/s' | 'MiB/s';
  /** The yardstick in words. */
  against: string;
  /** The ratio that design and users ask for. */
  target: number;
}

import { sayPercent } from './format.ts';

/** 0.0421 -> "4.2%" */
export const formatShare = (share: number): string => sayPercent(Math.round(share * 1000) / 10);

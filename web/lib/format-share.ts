const shareFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** 0.0421 -> "4.2%" */
export function formatShare(share: number): string {
  return shareFormat.format(share);
}

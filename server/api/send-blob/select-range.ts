export type Selection =
  | { kind: 'whole' }
  | { kind: 'part'; first: number; last: number }
  | { kind: 'unsatisfiable' };

/**
 * What a Range header asks of `size` bytes (RFC 9110 §14). One part is served; several at once,
 * other units and what cannot be understood are answered with the whole, as the RFC allows.
 */
export function selectRange(header: string | undefined, size: number): Selection {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return WHOLE;
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (last < first) return WHOLE;
  return first < size
    ? { kind: 'part', first, last: Math.min(last, size - 1) }
    : { kind: 'unsatisfiable' };
}

const WHOLE: Selection = { kind: 'whole' };

function lastBytes(count: number, size: number): Selection {
  if (count === 0 || size === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', first: Math.max(size - count, 0), last: size - 1 };
}

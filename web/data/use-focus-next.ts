import { useEffect, useRef } from 'react';

/**
 * Keeps the focus in a list of links that grows: what was pressed to make it grow goes away.
 * @param count entries of the list
 */
export function useFocusNext<List extends HTMLElement>(count: number) {
  const ref = useRef<List>(null);
  const wanted = useRef(Number.POSITIVE_INFINITY);

  useEffect(() => {
    if (count <= wanted.current) return;
    ref.current?.children[wanted.current]?.querySelector('a')?.focus();
    wanted.current = Number.POSITIVE_INFINITY;
  }, [count]);

  return {
    ref,
    /** The next entry that comes is focused. */
    focusNext() {
      wanted.current = count;
    },
  };
}

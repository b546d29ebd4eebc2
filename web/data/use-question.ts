import { useEffect, useRef, useState } from 'react';

/** Whether a question is open in the place of a button, to which the focus returns from it. */
export function useQuestion() {
  const [isAsking, setIsAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);

  useEffect(() => {
    if (wasAsked.current && !isAsking) button.current?.focus();
    wasAsked.current = isAsking;
  }, [isAsking]);

  return { isAsking, button, ask: () => setIsAsking(true), close: () => setIsAsking(false) };
}

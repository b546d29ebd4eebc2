import { useEffect, useRef, useState } from 'react';

/** Whether an element has been scrolled into view yet; undefined until the browser knows. */
export function useInView<Target extends Element>() {
  const ref = useRef<Target>(null);
  const [inView, setInView] = useState<boolean>();

  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      setInView(entry?.isIntersecting);
      if (entry?.isIntersecting) observer.disconnect();
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);

  return { ref, inView };
}

import { useLayoutEffect, useRef, useState } from 'react';

/** Returns a ref and the current width of its element in pixels; 0 before it is known. */
export function useWidth<Shape extends HTMLElement>() {
  const ref = useRef<Shape>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as being there. */
const NEAR = 48;

/**
 * Keeps a scrolled list at its end while one is there, and where one reads while one is not: what
 * comes below moves nothing, and neither does what is loaded above. `first` and `last` name the
 * outermost rows.
 */
export function useEndOfList(first: string | undefined, last: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stays = useRef(true);
  const before = useRef({ first, height: 0, top: 0 });
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    stays.current = true;
    setAtEnd(true);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  const onScroll = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    // A change of size is not a wish to leave: only the reader's own scrolling is.
    if (scrollHeight === before.current.height || !stays.current) {
      stays.current = scrollHeight - scrollTop - clientHeight < NEAR;
      setAtEnd(stays.current);
    }
    before.current = { ...before.current, height: scrollHeight, top: scrollTop };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last row changes the height.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const was = before.current;
    if (stays.current) element.scrollTop = element.scrollHeight;
    else if (first !== was.first) element.scrollTop = was.top + element.scrollHeight - was.height;
    before.current = { first, height: element.scrollHeight, top: element.scrollTop };
  }, [first, last]);

  useEffect(() => {
    if (!box.current || !content.current || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => {
      const element = box.current;
      if (!element) return;
      if (stays.current) element.scrollTop = element.scrollHeight;
      before.current = { ...before.current, height: element.scrollHeight, top: element.scrollTop };
    });
    observer.observe(box.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  return { box, content, onScroll, isAtEnd, toEnd };
}

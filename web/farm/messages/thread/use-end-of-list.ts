import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

/** A list scrolled this close to its end counts as being at the end. */
const NEAR_END_PX = 48;

/**
 * Keeps a scrolled list at its end if it is there, and otherwise at the current position when rows are
 * added below or above. `first` and `last` are the ids of the outermost rows.
 */
export function useEndOfList(first: string | undefined, last: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticksToEnd = useRef(true);
  const before = useRef({ first, height: 0, top: 0 });
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    sticksToEnd.current = true;
    setAtEnd(true);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  const onScroll = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    // Ignores scroll events that follow from a change of size.
    if (scrollHeight === before.current.height || !sticksToEnd.current) {
      sticksToEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      setAtEnd(sticksToEnd.current);
    }
    before.current = { ...before.current, height: scrollHeight, top: scrollTop };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last row changes the height.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const was = before.current;
    if (sticksToEnd.current) element.scrollTop = element.scrollHeight;
    else if (first !== was.first) element.scrollTop = was.top + element.scrollHeight - was.height;
    before.current = { first, height: element.scrollHeight, top: element.scrollTop };
  }, [first, last]);

  useEffect(() => {
    if (!box.current || !content.current || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => {
      const element = box.current;
      if (!element) return;
      if (sticksToEnd.current) element.scrollTop = element.scrollHeight;
      before.current = { ...before.current, height: element.scrollHeight, top: element.scrollTop };
    });
    observer.observe(box.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  return { box, content, onScroll, isAtEnd, toEnd };
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('focus', listener);
  window.addEventListener('blur', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    window.removeEventListener('focus', listener);
    window.removeEventListener('blur', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Returns whether the page is visible and its window has the focus. */
export function useAttention(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => document.visibilityState === 'visible' && document.hasFocus(),
  );
}

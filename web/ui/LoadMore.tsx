import { useEffect, useRef } from 'react';
import { Button } from './Button.tsx';

/**
 * The end of a list that has more: loads on by itself as one comes near, and is a button for those
 * whose list did not, or whose last load failed.
 */
export function LoadMore({
  hasMore,
  pending,
  failed = false,
  onMore,
  label = 'Load more',
}: {
  hasMore: boolean;
  pending: boolean;
  /** The last load failed: nothing loads by itself until one presses. */
  failed?: boolean;
  onMore: () => unknown;
  label?: string;
}) {
  const sentinel = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  const waiting = hasMore && !pending && !failed;
  useEffect(() => {
    const element = sentinel.current;
    if (!element || !waiting || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current();
      },
      { rootMargin: '600px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [waiting]);

  if (!hasMore) return null;
  return (
    <div ref={sentinel} className="flex justify-center py-6">
      <Button variant="secondary" pending={pending} onClick={() => onMore()}>
        {failed ? 'Try again' : label}
      </Button>
    </div>
  );
}

import { useEffect, useRef } from 'react';
import { onReturn } from '../../hooks/on-return.ts';
import { cn } from '../cn.ts';
import { Button, LinkButton } from '../primitives/Button.tsx';

/** How far below the visible area the next page is loaded. */
const LOAD_AHEAD_MARGIN = '600px 0px';

/**
 * The end of a list with further pages: loads the next one when scrolled near, or by a button. Without scripts it is a
 * link to `href`.
 */
export function LoadMore({
  hasMore,
  pending,
  failed = false,
  onMore,
  label = 'Load more',
  href,
}: {
  hasMore: boolean;
  pending: boolean;
  /** The last page failed to load: the next attempt needs a click, or the connection to come back. */
  failed?: boolean;
  onMore: () => unknown;
  label?: string;
  /** The address of the next page, where the server renders the list. */
  href?: string | undefined;
}) {
  const sentinel = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => (failed ? onReturn(() => latest.current()) : undefined), [failed]);
  const waiting = hasMore && !pending && !failed;
  useEffect(() => {
    const element = sentinel.current;
    if (!element || !waiting || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current();
      },
      { rootMargin: LOAD_AHEAD_MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [waiting]);

  if (!hasMore) return null;
  return (
    <div ref={sentinel} className="flex justify-center py-6">
      <Button
        variant="secondary"
        pending={pending}
        onClick={() => onMore()}
        className={cn(href !== undefined && 'needs-scripts')}
      >
        {failed ? 'Try again' : label}
      </Button>
      {href !== undefined && (
        <noscript>
          <LinkButton href={href} variant="secondary">
            Next page
          </LinkButton>
        </noscript>
      )}
    </div>
  );
}

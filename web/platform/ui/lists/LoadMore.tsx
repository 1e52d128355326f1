import { ArrowUp } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { onReturn } from '../../api/connection.ts';
import { cn } from '../cn.ts';
import { ErrorState } from '../feedback/states.tsx';
import { Button, LinkButton } from '../primitives/Button.tsx';

/** How far from the visible area the next page is loaded. */
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
  label = t('Load more'),
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
  const sentinel = useNearEnd(hasMore && !pending && !failed, onMore);
  const loadMore = useEffectEvent(onMore);
  useEffect(() => (failed ? onReturn(() => loadMore()) : undefined), [failed]);
  if (!hasMore) return null;
  return (
    <div ref={sentinel} className="flex justify-center py-6">
      <Button
        variant="secondary"
        pending={pending}
        onClick={() => onMore()}
        className={cn(href !== undefined && 'needs-scripts')}
      >
        {failed ? t('Try again') : label}
      </Button>
      {href !== undefined && (
        <noscript>
          <LinkButton href={href} variant="secondary">
            {t('Next page')}
          </LinkButton>
        </noscript>
      )}
    </div>
  );
}

/**
 * Calls `onNear` while `isWaiting` and the end of what is loaded is near the visible part of `box`, or of the window.
 * Returns the ref of that end.
 */
export function useNearEnd(
  isWaiting: boolean,
  onNear: () => unknown,
  box?: RefObject<Element | null>,
): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(onNear);
  useEffect(() => {
    if (!end.current || !isWaiting || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load();
      },
      { root: box?.current ?? null, rootMargin: LOAD_AHEAD_MARGIN },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWaiting, box]);
  return end;
}

/** Loads all pages of a list while `wanted`. Returns whether pages are still missing. */
export function useLoadAll(
  {
    hasNextPage,
    isFetching,
    isFetchNextPageError,
    fetchNextPage,
  }: Pick<PagedQuery, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>,
  wanted: boolean,
): boolean {
  const isIncomplete = wanted && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isIncomplete && !isFetching) fetchNextPage();
  }, [isIncomplete, isFetching, fetchNextPage]);
  return isIncomplete;
}

/** What a list needs of an infinite query. */
export type PagedQuery = {
  error: Error | null;
  isPending: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
};

/**
 * Shows a list that is loaded page by page: its skeleton, why it failed, what stands for an empty one, or
 * its items. Items that are there stay, whatever a later page does.
 */
export function PagedList<Item>({
  query,
  items,
  skeleton,
  empty,
  more,
  children,
}: {
  query: PagedQuery;
  /** The loaded items, as they are shown. */
  items: readonly Item[];
  /** Of the shape of the list. */
  skeleton: ReactNode;
  /** Replaces an empty list. */
  empty: ReactNode;
  /** Loads the next page; by default when one scrolls near. */
  more?: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
}) {
  return (
    <>
      {query.isPending ? (
        skeleton
      ) : items.length > 0 ? (
        children(items)
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
      ) : (
        empty
      )}
      {more === undefined ? (
        <LoadMore
          hasMore={query.hasNextPage}
          pending={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          onMore={query.fetchNextPage}
        />
      ) : (
        more
      )}
    </>
  );
}

/** Shows how many new items are deferred above a scrolled list, and scrolls to the top. */
export function NewPill({
  count,
  onShow,
}: {
  count: number;
  /** Inserts the new items, for lists that do not do so at the top. */
  onShow?: () => void;
}) {
  // The live region is rendered before its text, so that screen readers announce the text.
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-20 z-20 flex h-0 justify-center overflow-visible"
    >
      {count > 0 && (
        <button
          type="button"
          onClick={() => {
            onShow?.();
            window.scrollTo({ top: 0, behavior: 'smooth' });
          }}
          className="pointer-events-auto inline-flex h-9 items-center gap-1.5 rounded-full bg-leaf px-4 text-sm font-medium text-on-leaf shadow-float animate-pop-in hover:bg-leaf-strong pointer-coarse:h-11"
        >
          <ArrowUp className="size-4" />
          {t('{count} new', { count: formatCount(count) })}
        </button>
      )}
    </div>
  );
}

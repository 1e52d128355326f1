import type { ReactNode } from 'react';
import { itemsOf } from '../lib/pages.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { Card, CardHeader } from '../ui/primitives/Card.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { SkeletonRows } from '../ui/primitives/Skeleton.tsx';

/** What a part needs of an infinite query. */
type PagedQuery<Item> = {
  data:
    | { pages: { data: Item[]; success: true; count: number; nextCursor: string | null }[] }
    | undefined;
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
 * A titled part of a page that shows a list page by page. The next page is loaded by a button, because
 * further parts follow below.
 */
export function PagedPart<Item extends { _id: string }>({
  id,
  title,
  query,
  empty,
  children,
}: {
  /** The id of its heading. */
  id: string;
  title: string;
  query: PagedQuery<Item>;
  /** Replaces an empty list. */
  empty: string;
  children: (items: Item[]) => ReactNode;
}) {
  const items = itemsOf(query.data);
  return (
    <Card as="section" aria-labelledby={id}>
      <CardHeader id={id} title={title} />
      {query.isPending ? (
        <SkeletonRows rows={3} />
      ) : query.error && items.length === 0 ? (
        <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
      ) : items.length === 0 ? (
        <p className="text-sm text-ink-soft">{empty}</p>
      ) : (
        children(items)
      )}
      {query.hasNextPage && (
        <Button
          variant="secondary"
          size="sm"
          pending={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
          className="mt-3"
        >
          {query.isFetchNextPageError ? 'Try again' : 'Show more'}
        </Button>
      )}
    </Card>
  );
}

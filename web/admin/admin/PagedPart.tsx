import type { ReactNode } from 'react';
import { itemsOf, type ListAnswer } from '../../platform/queries/pages.ts';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { PagedList, type PagedQuery } from '../../platform/ui/lists/LoadMore.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';

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
  query: PagedQuery & { data: { pages: ListAnswer<Item>[] } | undefined };
  /** Replaces an empty list. */
  empty: string;
  children: (items: readonly Item[]) => ReactNode;
}) {
  return (
    <Card as="section" aria-labelledby={id}>
      <CardHeader id={id} title={title} />
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        skeleton={<SkeletonRows rows={3} />}
        empty={<p className="text-sm text-ink-soft">{empty}</p>}
        more={
          query.hasNextPage && (
            <Button
              variant="secondary"
              size="sm"
              pending={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
              className="mt-3"
            >
              {query.isFetchNextPageError ? 'Try again' : 'Show more'}
            </Button>
          )
        }
      >
        {children}
      </PagedList>
    </Card>
  );
}

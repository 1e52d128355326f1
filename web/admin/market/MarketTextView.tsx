import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MarketPageSlug } from '#contract/platform/market/constants';
import { ApiError } from '../../platform/api/api-error.ts';
import { formatWallDate, localToday } from '../../platform/format/format.ts';
import { useMarket } from '../../platform/format/market.ts';
import { useTitle } from '../../platform/hooks/use-title.ts';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../platform/ui/primitives/PageHeader.tsx';
import { MarketText } from './MarketText.tsx';
import { marketPageQuery } from './queries.ts';

/** A text that an admin wrote, as a page: the terms, for example; `missing` where nobody has. */
export function MarketTextView({ slug, missing }: { slug: MarketPageSlug; missing: ReactNode }) {
  // The market's day: the same on the server as for every reader.
  const { timeZone } = useMarket();
  const { data: page, error, refetch, isFetching } = useQuery(marketPageQuery(slug));
  useTitle(page?.title);
  if (error instanceof ApiError && error.status === 404) return missing;
  return (
    <div className="wrap py-8 sm:py-12">
      {page ? (
        <article>
          <PageHeader
            title={page.title}
            text={`Last changed on ${formatWallDate(localToday(new Date(page.updatedAt), timeZone), 'year')}`}
          />
          <MarketText body={page.body} />
        </article>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <Loading>
          <Skeleton className="mb-6 h-10 max-w-sm" />
          <Skeleton className="h-96 max-w-prose" />
        </Loading>
      )}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { MARKET_PAGES } from '#contract/constants/market-pages';
import NotFoundPage from '../app/NotFoundPage.tsx';
import { ApiError } from '../lib/api-error.ts';
import { formatWallDate, localToday } from '../lib/format.ts';
import { useTitle } from '../lib/use-title.ts';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { PageHeader } from '../ui/primitives/PageHeader.tsx';
import { Loading, Skeleton } from '../ui/primitives/Skeleton.tsx';
import { MarketText } from './MarketText.tsx';
import { marketPageQuery } from './queries.ts';

/** The market's terms, its words on privacy, or its help, whichever the path names. */
export default function MarketTextPage() {
  const [path] = useLocation();
  const slug = MARKET_PAGES.find((each) => path === `/${each}`) ?? 'help';
  const { data: page, error, refetch, isFetching } = useQuery(marketPageQuery(slug));
  useTitle(page?.title);
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  return (
    <div className="wrap py-8 sm:py-12">
      {page ? (
        <article>
          <PageHeader
            title={page.title}
            text={`Last changed on ${formatWallDate(localToday(new Date(page.updatedAt)), 'year')}`}
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

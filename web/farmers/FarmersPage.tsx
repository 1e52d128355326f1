import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { plural } from '../lib/format.ts';
import { itemsOf } from '../lib/pages.ts';
import { useLoadAll } from '../lib/use-load-all.ts';
import { useSearchParam } from '../lib/use-search-param.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { EmptyState } from '../ui/primitives/EmptyState.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { LoadMore } from '../ui/primitives/LoadMore.tsx';
import { PageHeader } from '../ui/primitives/PageHeader.tsx';
import { SearchInput } from '../ui/primitives/SearchInput.tsx';
import { Loading, Skeleton, SkeletonText } from '../ui/primitives/Skeleton.tsx';
import { FarmerCard } from './FarmerCard.tsx';
import { farmersQuery } from './queries.ts';
import { isNamed } from './rules.ts';

/** Prefetches the data of the page. */
export const prefetch = (client: QueryClient) => client.prefetchInfiniteQuery(farmersQuery());

/** The page of all farms, with a search by name. */
export default function FarmersPage() {
  const [search, setSearch] = useSearchParam('search');
  const query = useInfiniteQuery(farmersQuery());
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const words = search.trim();
  // The search runs on the loaded farms, so all pages must be loaded.
  const isIncomplete = useLoadAll(query, words !== '');
  const farmers = itemsOf(data).filter((farmer) => isNamed(farmer, words));

  return (
    <div className="wrap py-8">
      <PageHeader title="Our Farmers" text="The people who grow what you eat.">
        <SearchInput
          label="Search farmers"
          value={search}
          onChange={setSearch}
          className="w-full sm:w-72"
        />
      </PageHeader>
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={query.refetch} pending={isFetching} />
        ) : (
          <FarmersSkeleton />
        )
      ) : farmers.length === 0 && !isIncomplete ? (
        <EmptyState
          drawing={words ? 'search' : 'farm'}
          title="No Farmers Found"
          text={words ? `No farm goes by '${words}'.` : 'The first farms will be here soon.'}
        >
          {words && (
            <Button variant="secondary" onClick={() => setSearch('')}>
              Show all farmers
            </Button>
          )}
        </EmptyState>
      ) : (
        <section aria-label="Farmers found" aria-busy={isIncomplete}>
          <p role="status" className="mb-4 text-sm text-ink-soft">
            {hasNextPage
              ? `The first ${plural(farmers.length, 'farm')}`
              : plural(farmers.length, 'farm')}
          </p>
          <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {farmers.map((farmer) => (
              <li key={farmer._id}>
                <FarmerCard farmer={farmer} />
              </li>
            ))}
          </ul>
          <LoadMore
            hasMore={hasNextPage}
            pending={query.isFetchingNextPage}
            failed={isFetchNextPageError}
            onMore={fetchNextPage}
          />
        </section>
      )}
    </div>
  );
}

function FarmersSkeleton() {
  return (
    <Loading className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <div
          key={card}
          aria-hidden="true"
          className="overflow-hidden rounded border border-hairline bg-surface"
        >
          <Skeleton className="aspect-2/1 w-full rounded-none" />
          <div className="grid gap-3 p-4">
            <Skeleton className="h-6 w-2/3" />
            <Skeleton className="w-1/3" />
            <SkeletonText lines={3} />
          </div>
        </div>
      ))}
    </Loading>
  );
}

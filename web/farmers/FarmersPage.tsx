import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { formatCount, plural } from '../lib/format.ts';
import { itemsOf } from '../lib/pages.ts';
import { useLoadAll } from '../lib/use-load-all.ts';
import { useSearchParam } from '../lib/use-search-param.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { EmptyState } from '../ui/primitives/EmptyState.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { LoadMore } from '../ui/primitives/LoadMore.tsx';
import { PageHeader } from '../ui/primitives/PageHeader.tsx';
import { SearchInput } from '../ui/primitives/SearchInput.tsx';
import { FarmerCard } from './FarmerCard.tsx';
import { FARMERS_GRID_CLASS, FarmerCardSkeletons } from './FarmerCardSkeletons.tsx';
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
          <FarmerCardSkeletons cards={6} />
        )
      ) : farmers.length === 0 && !isIncomplete ? (
        <EmptyState
          drawing={words ? 'search' : 'farm'}
          title="No Farmers Found"
          text={words ? `No farm matches "${words}".` : 'The first farms will be here soon.'}
        >
          {words && (
            <Button variant="secondary" onClick={() => setSearch('')}>
              Show all farmers
            </Button>
          )}
        </EmptyState>
      ) : (
        <section aria-label="Farmers found" aria-busy={isIncomplete}>
          {/* Between the page's heading and those of the cards. */}
          <h2 className="sr-only">Results</h2>
          <p role="status" className="mb-4 text-sm text-ink-soft">
            {hasNextPage ? `${formatCount(farmers.length)}+ farms` : plural(farmers.length, 'farm')}
          </p>
          <ul className={FARMERS_GRID_CLASS}>
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

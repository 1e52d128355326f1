import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import type { Product, ProductSort } from '#contract/products';
import { QuickAdd } from '../cart/QuickAdd.tsx';
import { categoriesQuery } from '../categories/queries.ts';
import { plural } from '../lib/format.ts';
import { itemsOf, type Pages } from '../lib/pages.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { useSearchParam, useSearchParamChoice } from '../lib/use-search-param.ts';
import { useWatchProducts } from '../realtime/watch.ts';
import { cn } from '../ui/cn.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { EmptyState } from '../ui/primitives/EmptyState.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { Field } from '../ui/primitives/Field.tsx';
import { LoadMore } from '../ui/primitives/LoadMore.tsx';
import { NewPill } from '../ui/primitives/NewPill.tsx';
import { PageHeader } from '../ui/primitives/PageHeader.tsx';
import { SearchInput } from '../ui/primitives/SearchInput.tsx';
import { Select } from '../ui/primitives/Select.tsx';
import { SkeletonCards } from '../ui/primitives/Skeleton.tsx';
import type { ProductFilters } from './keys.ts';
import { ProductGrid } from './ProductGrid.tsx';
import { productsQuery } from './queries.ts';
import { SORT_LABELS, sorted } from './rules.ts';
import { useSteadyList } from './use-steady-list.ts';

/** The delay before a changed search or category is requested. */
const SEARCH_DEBOUNCE_MS = 1000;
const SORTS = Object.keys(SORT_LABELS) as ProductSort[];

/** Prefetches the initial data of the page. */
export const prefetch = (client: QueryClient) =>
  Promise.all([
    client.prefetchInfiniteQuery(productsQuery()),
    client.prefetchQuery(categoriesQuery()),
  ]);

/** All products on the market. Search, filter and sort order are kept in the URL. */
export default function ProductsPage() {
  const [search, setSearch] = useSearchParam('search');
  const [category, setCategory] = useSearchParam('category');
  const [sort, setSort] = useSearchParamChoice('sort', SORTS, 'newest');
  const [panel, setPanel] = useSearchParamChoice('filters', ['closed', 'open'], 'closed');
  const panelId = useId();
  const categories = useQuery(categoriesQuery());

  const request = useDebounced(`${category}\n${search.trim()}`, SEARCH_DEBOUNCE_MS);
  const isOpen = panel === 'open';
  return (
    <div className="wrap py-8">
      <PageHeader
        title="Products"
        text="What the farms around you have on their stalls right now."
      />
      <div className="mb-6 grid gap-3">
        <div className="flex flex-wrap items-stretch gap-3">
          <SearchInput
            label="Search products"
            value={search}
            onChange={setSearch}
            className="min-w-full grow sm:min-w-64"
          />
          <Select
            aria-label="Sort by"
            value={sort}
            onChange={(event) => setSort(event.target.value as ProductSort)}
            className="sm:w-52"
          >
            {SORTS.map((value) => (
              <option key={value} value={value}>
                {SORT_LABELS[value]}
              </option>
            ))}
          </Select>
          <Button
            variant="secondary"
            icon={<SlidersHorizontal />}
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={() => setPanel(isOpen ? 'closed' : 'open')}
            className={cn('grow sm:grow-0', category !== '' && 'border-leaf text-leaf')}
          >
            Filters{category !== '' && ' (1)'}
          </Button>
        </div>
        <div
          id={panelId}
          hidden={!isOpen}
          className="rounded border border-hairline bg-surface p-4 animate-fade-in"
        >
          <div className="flex flex-wrap items-end gap-4">
            <Field label="Category" className="w-full sm:w-64">
              <Select value={category} onChange={(event) => setCategory(event.target.value)}>
                <option value="">All Categories</option>
                {categories.data?.map(({ _id, name }) => (
                  <option key={_id} value={_id}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
            {category !== '' && (
              <Button variant="quiet" onClick={() => setCategory('')}>
                Clear filters
              </Button>
            )}
          </div>
        </div>
      </div>
      <Results
        request={request}
        sort={sort}
        waiting={request !== `${category}\n${search.trim()}`}
        onClear={() => {
          setSearch('');
          setCategory('');
        }}
      />
    </div>
  );
}

/** The products that were found; `request` holds the category and the search text, one per line. */
function Results({
  request,
  sort,
  waiting,
  onClear,
}: {
  request: string;
  sort: ProductSort;
  /** A changed request is about to be sent. */
  waiting: boolean;
  onClear: () => void;
}) {
  const [category = '', search = ''] = request.split('\n');
  const filters: ProductFilters = {
    ...(category && { category }),
    ...(search && { search }),
  };
  const query = useInfiniteQuery({
    ...productsQuery(filters, sort),
    // Keeps the previous results, sorted again, while another request is loading.
    placeholderData: (before: Pages<Product> | undefined) => before,
  });
  const { data, error, isPlaceholderData } = query;
  const list = useSteadyList(
    sorted(itemsOf(data), sort),
    `${request}\n${sort}\n${isPlaceholderData}\n${data !== undefined}`,
  );
  useWatchProducts(list.rows.map((product) => product._id));

  const isFiltered = category !== '' || search !== '';
  if (!data) {
    if (!error) return <SkeletonCards />;
    return (
      <ErrorState error={error} onRetry={query.refetch} pending={query.isFetching}>
        {isFiltered && <ShowAll onClear={onClear} />}
      </ErrorState>
    );
  }
  if (list.rows.length === 0) {
    return (
      <EmptyState
        drawing={isFiltered ? 'search' : 'basket'}
        title="No Products Found"
        text={
          isFiltered
            ? 'Nothing on the market fits this right now. Try other words or another category.'
            : 'The stalls are empty at the moment. Look in again soon.'
        }
      >
        {isFiltered && <ShowAll onClear={onClear} />}
      </EmptyState>
    );
  }
  const count = list.rows.length;
  return (
    <section aria-label="Products found" aria-busy={isPlaceholderData || waiting}>
      <p role="status" className="mb-4 text-sm text-ink-soft">
        {query.hasNextPage ? `The first ${plural(count, 'product')}` : plural(count, 'product')}
      </p>
      <NewPill count={list.waiting} onShow={list.settle} />
      <div className={cn('transition-opacity', (isPlaceholderData || waiting) && 'opacity-60')}>
        <ProductGrid
          products={list.rows}
          isGone={list.isGone}
          action={(product) => <QuickAdd goods={product} />}
        />
      </div>
      <LoadMore
        hasMore={query.hasNextPage}
        pending={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onMore={query.fetchNextPage}
      />
    </section>
  );
}

function ShowAll({ onClear }: { onClear: () => void }) {
  return (
    <Button variant="secondary" onClick={onClear}>
      Show all products
    </Button>
  );
}

import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import { useSearch } from 'wouter';
import { nameOfCategory } from '#contract/catalogue/categories/constants';
import type {
  FacetCount,
  ProductFilters,
  ProductSort,
} from '#contract/catalogue/products/product-search';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { FilterChips, FilterPanel } from '../../catalogue/products/filters/FilterPanel.tsx';
import {
  chosenSort,
  type FilterTexts,
  filtersOf,
  NO_FILTERS,
  readFilterTexts,
  setFilters,
  useFilterTexts,
  withoutFilters,
} from '../../catalogue/products/filters/filters.ts';
import { SORT_LABELS, sorted } from '../../catalogue/products/labels.ts';
import { ProductGrid, useShownWhole } from '../../catalogue/products/ProductGrid.tsx';
import { productFacetsQuery, productsQuery } from '../../catalogue/products/queries.ts';
import { useSteadyList } from '../../catalogue/products/use-steady-list.ts';
import { QuickAdd } from '../../ordering/cart/QuickAdd.tsx';
import { toAddress } from '../../platform/format/address.ts';
import { useSettled } from '../../platform/hooks/use-debounced.ts';
import {
  useSearchParam,
  useSearchParamChoice,
  withParam,
} from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { cn } from '../../platform/ui/cn.ts';
import { EmptyState, ErrorState, SkeletonCards } from '../../platform/ui/feedback/states.tsx';
import { Select } from '../../platform/ui/fields/controls.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { NewPill } from '../../platform/ui/lists/LoadMore.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { NextPage } from '../NextPage.tsx';

/** The delay before a changed search, category or price is requested. */
const SEARCH_DEBOUNCE_MS = 1000;
const SORTS = Object.keys(SORT_LABELS) as ProductSort[];

/** Prefetches the initial data of the page. */
export async function prefetch(
  client: QueryClient,
  _: Readonly<Record<string, string>>,
  search: string,
): Promise<void> {
  const params = new URLSearchParams(search);
  const texts = readFilterTexts(search);
  const filters = filtersOf(texts);
  const sort = chosenSort(params.get('sort') ?? '', filters.search !== undefined);
  const list = productsQuery(filters, sort, params.get('cursor') || null);
  await Promise.all([
    client.prefetchInfiniteQuery(list),
    client.prefetchQuery(categoriesQuery()),
    (params.get('filters') === 'open' || texts.farmer !== '') &&
      client.prefetchQuery(productFacetsQuery(filters)),
  ]);
  // How many there are.
  const found = client.getQueryData(list.queryKey);
  if (found?.pages.at(-1)?.nextCursor) await client.prefetchQuery(productFacetsQuery(filters));
}

/** All products on the market. Search, filters and sort order are kept in the URL. */
export default function ProductsPage() {
  const [texts, change] = useFilterTexts();
  const [sortText, setSortText] = useSearchParam('sort');
  const [panel, setPanel] = useSearchParamChoice('filters', ['closed', 'open'], 'closed');
  const [panelId, formId] = [useId(), useId()];
  const [start, setStart] = useSearchParam('cursor');
  const address = useSearch();
  const isOpen = panel === 'open';
  const isWhole = useShownWhole();
  const isSearching = texts.search.trim() !== '';
  const { filters, isWaiting, settle } = useSettledFilters(texts);
  const categories = useQuery(categoriesQuery());
  const facets = useQuery({
    ...productFacetsQuery(filters),
    // The chip of a farm takes its name from here.
    enabled: isOpen || texts.farmer !== '',
    placeholderData: (before) => before,
  });
  const category = categories.data?.find(({ _id }) => _id === texts.category);
  const chosen = setFilters(filtersOf(texts), {
    category: category && nameOfCategory(category),
    farm: facets.data?.farmers.find(({ _id }) => _id === texts.farmer)?.name,
  });

  return (
    <div className="wrap py-8">
      <PageHeader
        title={t('Products')}
        text={t('What the farms around you have on their stalls right now.')}
      />
      <div className="mb-6 grid gap-3">
        {/* With an address and names, so that it also works without scripts. */}
        <form
          id={formId}
          action={toAddress('/products')}
          className="flex flex-wrap items-stretch gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            settle();
          }}
        >
          <SearchInput
            name="search"
            label={t('Search products')}
            value={texts.search}
            onChange={(search) => change({ search })}
            className="min-w-full grow sm:min-w-64"
          />
          <Select
            name="sort"
            aria-label={t('Sort by')}
            value={chosenSort(sortText, isSearching)}
            onChange={({ target: { value } }) => {
              setSortText(value === chosenSort('', isSearching) ? '' : value);
              setStart('');
            }}
            className="sm:w-52"
          >
            {SORTS.filter((value) => isSearching || value !== 'relevance').map((value) => (
              <option key={value} value={value}>
                {writeMessage(SORT_LABELS[value])}
              </option>
            ))}
          </Select>
          <Button
            variant="secondary"
            icon={<SlidersHorizontal />}
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={() => setPanel(isOpen ? 'closed' : 'open')}
            className={cn(
              'needs-scripts grow sm:grow-0',
              chosen.length > 0 && 'border-leaf text-leaf',
            )}
          >
            {chosen.length > 0 ? t('Filters ({count})', { count: chosen.length }) : t('Filters')}
          </Button>
          <noscript>
            <div className="flex gap-3">
              <Button type="submit">{t('Search')}</Button>
              {!isOpen && (
                <LinkButton href={withParam(address, 'filters', 'open')} variant="secondary">
                  {t('Filters')}
                </LinkButton>
              )}
            </div>
          </noscript>
        </form>
        <div
          id={panelId}
          hidden={!isOpen}
          className="rounded border border-hairline bg-surface p-4 animate-fade-in"
        >
          {(isOpen || isWhole) && (
            <FilterPanel
              form={formId}
              texts={texts}
              onChange={change}
              onClear={() => change(withoutFilters())}
              isAnySet={chosen.length > 0}
              categories={categories.data ?? []}
              facets={facets.data}
            />
          )}
        </div>
        <FilterChips
          filters={chosen}
          onRemove={(names) => change(Object.fromEntries(names.map((name) => [name, ''])))}
        />
      </div>
      <Results
        filters={filters}
        sort={chosenSort(sortText, filters.search !== undefined)}
        waiting={isWaiting}
        start={start || null}
        onClear={() => change(NO_FILTERS)}
        onSearchAll={() => change(withoutFilters())}
      />
    </div>
  );
}

/**
 * Returns the filters to request: what is typed, and the category, after a pause; what is pressed at once. `settle`
 * requests all of it now.
 */
function useSettledFilters(texts: FilterTexts) {
  const { search, category, minPrice, maxPrice } = texts;
  const now = JSON.stringify({ search: search.trim(), category, minPrice, maxPrice });
  const [settled, settle] = useSettled(now, SEARCH_DEBOUNCE_MS);
  return {
    filters: filtersOf({ ...texts, ...(JSON.parse(settled) as Partial<FilterTexts>) }),
    isWaiting: settled !== now,
    settle,
  };
}

/** The products that were found. */
function Results({
  filters,
  sort,
  start,
  waiting,
  onClear,
  onSearchAll,
}: {
  filters: ProductFilters;
  sort: ProductSort;
  /** The cursor that the list begins with, which links to further pages have. */
  start: string | null;
  /** A changed request is about to be sent. */
  waiting: boolean;
  onClear: () => void;
  onSearchAll: () => void;
}) {
  const query = useInfiniteQuery({
    ...productsQuery(filters, sort, start),
    // Keeps the previous results, sorted again, while another request is loading.
    placeholderData: (before) => before,
  });
  const { data, error, isPlaceholderData } = query;
  const address = useSearch();
  const next = data?.pages.at(-1)?.nextCursor;
  const list = useSteadyList(
    sorted(itemsOf(data), sort),
    `${JSON.stringify(filters)}\n${sort}\n${isPlaceholderData}\n${data !== undefined}`,
  );
  useWatchProducts(list.rows.map((product) => product._id));

  const count = list.rows.length;
  // How many there are; known without asking once all are loaded.
  const facets = useQuery({ ...productFacetsQuery(filters), enabled: query.hasNextPage });

  const { search, ...choices } = filters;
  const hasChoices = Object.keys(choices).length > 0;
  const isFiltered = hasChoices || search !== undefined;
  const clearFiltersButton = isFiltered && (
    <>
      {hasChoices && search !== undefined && (
        <Button onClick={onSearchAll}>{t('Search everything')}</Button>
      )}
      <Button variant="secondary" onClick={onClear}>
        {t('Show all products')}
      </Button>
    </>
  );
  if (!data) {
    if (!error) return <SkeletonCards />;
    return (
      <ErrorState error={error} onRetry={query.refetch} pending={query.isFetching}>
        {clearFiltersButton}
      </ErrorState>
    );
  }
  if (list.rows.length === 0) {
    return (
      <EmptyState
        drawing={isFiltered ? 'search' : 'basket'}
        title={t('No Products Found')}
        text={emptyText(search, hasChoices)}
      >
        {clearFiltersButton}
      </EmptyState>
    );
  }
  const isCorrected = data.pages[0]?.correctedSearch !== undefined && !isPlaceholderData;
  return (
    <section aria-label={t('Products found')} aria-busy={isPlaceholderData || waiting}>
      {/* Between the page's heading and those of the cards. */}
      <h2 className="sr-only">{t('Results')}</h2>
      <p role="status" className="mb-4 text-sm text-ink-soft">
        {isCorrected && (
          <span className="block text-base text-ink">
            {t('No product matches "{words}". Showing similar products.', {
              words: search ?? '',
            })}
          </span>
        )}
        {describeCount(count, query.hasNextPage ? facets.data?.found : undefined)}
        {filters.without && (
          <span className="block">
            {t('Products whose allergens nobody has stated are left out.')}
          </span>
        )}
      </p>
      <NewPill count={list.waiting} onShow={list.settle} />
      <div className={cn('transition-opacity', (isPlaceholderData || waiting) && 'opacity-60')}>
        <ProductGrid
          products={list.rows}
          // With filters it may be on sale, and only fit them no more.
          isGone={(product) => list.isGone(product) && (!hasChoices || t('no longer on this list'))}
          action={(product) => <QuickAdd goods={product} />}
        />
      </div>
      <NextPage query={query} href={next ? withParam(address, 'cursor', next) : undefined} />
    </section>
  );
}

/** Returns how many products are shown, of how many: '24 of 48 products', '24 of 1,000+ products'. */
function describeCount(shown: number, found: FacetCount | undefined): string {
  // What the count leaves out may be shown already.
  if (!found || found.count <= shown)
    return t('{count, plural, one {# product} other {# products}}', { count: shown });
  const counts = { shown: formatCount(shown), count: found.count };
  return found.isExact
    ? t('{shown} of {count, plural, one {# product} other {# products}}', counts)
    : t('{shown} of {count, plural, other {#+ products}}', counts);
}

function emptyText(search: string | undefined, hasChoices: boolean): string {
  if (hasChoices) return t('Nothing matches all of this right now.');
  if (search !== undefined) return t('Nothing matches right now. Try other words.');
  return t('The stalls are empty at the moment. Look again soon.');
}

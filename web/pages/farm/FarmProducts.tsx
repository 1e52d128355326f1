import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { nameOfCategory } from '#contract/catalogue/categories/constants';
import { sortByName } from '#contract/platform/text/constants/names';
import { t } from '#contract/platform/text/constants/texts';
import { ProductGrid } from '../../catalogue/products/ProductGrid.tsx';
import { productFacetsQuery, productsQuery } from '../../catalogue/products/queries.ts';
import { useSteadyList } from '../../catalogue/products/use-steady-list.ts';
import { QuickAdd } from '../../ordering/cart/QuickAdd.tsx';
import { toAddress } from '../../platform/format/address.ts';
import { useSearchBox } from '../../platform/hooks/use-debounced.ts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { cn } from '../../platform/ui/cn.ts';
import { EmptyState, Fetched, SkeletonCards } from '../../platform/ui/feedback/states.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { NextPage } from '../NextPage.tsx';

/** More products than this are shown on request, so that the farm's hours and contact stay in reach. */
const FIRST_PRODUCTS = 12;

/** What is asked of a farm's products: all, those of one kind, or those that a search finds, the best first. */
const queriesOf = (farmer: string, search: string, category: string) => {
  const found = { farmer, ...(search && { search }) };
  return {
    list: productsQuery(
      { ...found, ...(category && { category }) },
      search ? 'relevance' : 'newest',
    ),
    kinds: productFacetsQuery(found),
  };
};

/** Prefetches the products that an address asks for; of a farm that has many, their kinds too. */
export async function prefetchProducts(client: QueryClient, farmerId: string, address: string) {
  const params = new URLSearchParams(address);
  const [search, category] = [params.get('search')?.trim() ?? '', params.get('category') ?? ''];
  const { list, kinds } = queriesOf(farmerId, search, category);
  await client.prefetchInfiniteQuery(list);
  const first = client.getQueryData(list.queryKey)?.pages[0];
  if (search || category || (first && (first.nextCursor || first.data.length > FIRST_PRODUCTS)))
    await client.prefetchQuery(kinds);
}

/** The products of a farm, with a search and kinds where there are many. */
export function FarmProducts({ farmerId }: { farmerId: string }) {
  const { text, setText, search } = useSearchBox();
  const [category, setCategory] = useSearchParam('category');
  const [all, setAll] = useSearchParam('all');
  const isNarrowed = search !== '' || category !== '';
  const queries = queriesOf(farmerId, search, category);
  const query = useInfiniteQuery({ ...queries.list, placeholderData: (before) => before });
  const { data, isPlaceholderData, hasNextPage } = query;
  const list = useSteadyList(
    itemsOf(data),
    `${search}\n${category}\n${isPlaceholderData}\n${data !== undefined}`,
  );
  const showsAll = isNarrowed || all !== '';
  const shown = showsAll ? list.rows : list.rows.slice(0, FIRST_PRODUCTS);
  const hasMore = list.rows.length > shown.length || (!showsAll && hasNextPage);
  useWatchProducts(shown.map((product) => product._id));
  const hasMany = isNarrowed || text !== '' || hasNextPage || list.rows.length > FIRST_PRODUCTS;
  return (
    <section aria-labelledby="farm-products">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="farm-products" className="text-xl">
          {t('Products')}
        </h2>
        {list.waiting > 0 && (
          <Button variant="secondary" onClick={list.settle}>
            {t('Show {count, plural, other {# new}}', { count: list.waiting })}
          </Button>
        )}
        {hasMany && (
          // With an address and names, so that it also works without scripts.
          <form
            action={toAddress(`/farmers/${farmerId}`)}
            onSubmit={(event) => event.preventDefault()}
            className="w-full sm:w-72"
          >
            <SearchInput
              name="search"
              label={t("Search this farm's products")}
              value={text}
              onChange={setText}
            />
          </form>
        )}
      </div>
      {hasMany && <Kinds query={queries.kinds} value={category} onChange={setCategory} />}
      <Fetched query={query} skeleton={<SkeletonCards cards={4} />}>
        {() =>
          list.rows.length === 0 ? (
            <EmptyState
              drawing={isNarrowed ? 'search' : 'basket'}
              title={isNarrowed ? t('No Products Found') : t('No Products Available')}
              level={3}
              text={
                isNarrowed
                  ? t('Nothing matches all of this right now.')
                  : t('Nothing is on this stall right now.')
              }
            >
              {isNarrowed && (
                <Button
                  variant="secondary"
                  onClick={() => {
                    setText('');
                    setCategory('');
                  }}
                >
                  {t('Show all products')}
                </Button>
              )}
            </EmptyState>
          ) : (
            <div
              aria-busy={isPlaceholderData}
              className={cn('transition-opacity', isPlaceholderData && 'opacity-60')}
            >
              <ProductGrid
                products={shown}
                isGone={list.isGone}
                withFarm={false}
                action={(product) => <QuickAdd goods={product} />}
              />
              {hasMore ? (
                <div className="flex justify-center py-6">
                  <Button
                    variant="secondary"
                    onClick={() => setAll('true')}
                    className="needs-scripts"
                  >
                    {t('Show all products')}
                  </Button>
                  <noscript>
                    <LinkButton href={`/products?farmer=${farmerId}`} variant="secondary">
                      {t('Show all products')}
                    </LinkButton>
                  </noscript>
                </div>
              ) : (
                <NextPage query={query} />
              )}
            </div>
          )
        }
      </Fetched>
    </section>
  );
}

/** The kinds of a farm's products, with how many there are of each; nothing where there is one kind alone. */
function Kinds({
  query,
  value,
  onChange,
}: {
  query: ReturnType<typeof productFacetsQuery>;
  value: string;
  onChange: (category: string) => void;
}) {
  const { data } = useQuery({ ...query, placeholderData: (before) => before });
  const kinds = sortByName(data?.categories ?? [], nameOfCategory);
  // Its height is there before the kinds are.
  if (data && kinds.length < 2 && value === '') return null;
  return (
    <FilterBar
      label={t('Products by kind')}
      options={[
        { value: '', label: t('All Categories') },
        ...kinds.map((kind) => ({
          value: kind._id,
          label: nameOfCategory(kind),
          count: kind.count,
        })),
      ]}
      value={value}
      onChange={onChange}
      className="mb-4"
    />
  );
}

import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import {
  FARMERS_GRID_CLASS,
  FarmerCard,
  FarmerCardSkeletons,
} from '../../farm/farmers/FarmerCard.tsx';
import { NearestFirst, useHere } from '../../farm/farmers/NearestFirst.tsx';
import { farmersQuery } from '../../farm/farmers/queries.ts';
import { isNamed } from '../../farm/farmers/rules.ts';
import { nearestFirst } from '../../farm/model/places.ts';
import { toAddress } from '../../platform/format/address.ts';
import { useSearchParam, withParam } from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { Alert, EmptyState, Fetched } from '../../platform/ui/feedback/states.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { useLoadAll } from '../../platform/ui/lists/LoadMore.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { NextPage } from '../NextPage.tsx';

/** So many pages of farms are searched before the page is shown. */
const SEARCHED_PAGES = 5;

/** Prefetches the data of the page. */
export function prefetch(
  client: QueryClient,
  _: Readonly<Record<string, string>>,
  search: string,
): Promise<void> {
  const params = new URLSearchParams(search);
  const list = farmersQuery(params.get('cursor') || null);
  // The search runs on the loaded farms; the page loads the rest of a large market itself.
  return client.prefetchInfiniteQuery(
    params.get('search') ? { ...list, pages: SEARCHED_PAGES } : list,
  );
}

/** The page of all farms, with a search by name. */
export default function FarmersPage() {
  const [search, setSearch] = useSearchParam('search');
  const [start] = useSearchParam('cursor');
  const address = useSearch();
  const query = useInfiniteQuery(farmersQuery(start || null));
  const { data, hasNextPage } = query;
  const words = search.trim();
  const next = data?.pages.at(-1)?.nextCursor;
  // The search runs on the loaded farms, so all pages must be loaded.
  const nearest = useHere();
  const { here, problem } = nearest;
  const isIncomplete = useLoadAll(query, words !== '' || here !== null);
  const found = itemsOf(data).filter((farmer) => isNamed(farmer, words));
  const farmers = here ? nearestFirst(found, here) : found.map((farm) => ({ farm, words: '' }));
  const isNowhere = here !== null && !isIncomplete && !farmers.some((each) => each.words);

  return (
    <div className="wrap py-8">
      <PageHeader title={t('Our Farmers')} text={t('The people who grow what you eat.')}>
        {/* With an address and a name, so that it also works without scripts. */}
        <form
          action={toAddress('/farmers')}
          onSubmit={(event) => event.preventDefault()}
          className="grow sm:w-72 sm:grow-0"
        >
          <SearchInput
            name="search"
            label={t('Search farmers')}
            value={search}
            onChange={setSearch}
          />
        </form>
        <NearestFirst {...nearest} />
      </PageHeader>
      <div role="status">
        {(problem || isNowhere) && (
          <Alert kind="warning" className="mb-4">
            {problem ?? t('None of these farms says where it is.')}
          </Alert>
        )}
      </div>
      <Fetched query={query} skeleton={<FarmerCardSkeletons cards={6} />}>
        {() =>
          farmers.length === 0 && !isIncomplete ? (
            <EmptyState
              drawing={words ? 'search' : 'farm'}
              title={t('No Farmers Found')}
              text={
                words
                  ? t('No farm matches "{words}".', { words })
                  : t('The first farms will be here soon.')
              }
            >
              {words && (
                <Button variant="secondary" onClick={() => setSearch('')}>
                  {t('Show all farmers')}
                </Button>
              )}
            </EmptyState>
          ) : (
            <section aria-label={t('Farmers found')} aria-busy={isIncomplete}>
              {/* Between the page's heading and those of the cards. */}
              <h2 className="sr-only">{t('Results')}</h2>
              <p role="status" className="mb-4 text-sm text-ink-soft">
                {hasNextPage
                  ? t('{count, plural, other {#+ farms}}', { count: farmers.length })
                  : t('{count, plural, one {# farm} other {# farms}}', { count: farmers.length })}
              </p>
              <ul className={FARMERS_GRID_CLASS}>
                {farmers.map(({ farm, words: distance }) => (
                  <li key={farm._id} className="defer-paint-132">
                    <FarmerCard farmer={farm} distance={distance} />
                  </li>
                ))}
              </ul>
              <NextPage
                query={query}
                href={next ? withParam(address, 'cursor', next) : undefined}
              />
            </section>
          )
        }
      </Fetched>
    </div>
  );
}

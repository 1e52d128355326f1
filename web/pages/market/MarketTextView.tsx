import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { MarketPageSlug } from '#contract/platform/market/constants';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { MarketText } from '../../admin/market/MarketText.tsx';
import { marketPageQuery } from '../../admin/market/queries.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { localToday } from '../../platform/format/format.ts';
import { useMarket, useTitle } from '../../platform/format/market.ts';
import { Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import NotFoundPage from '../home/NotFoundPage.tsx';

/** Prefetches the text. */
export const prefetchText = (slug: MarketPageSlug) => (client: QueryClient) =>
  client.prefetchQuery(marketPageQuery(slug));

/** A text that an admin wrote, as a page: the terms, for example. There is no page where nobody has. */
export function MarketTextView({ slug }: { slug: MarketPageSlug }) {
  // The market's day: the same on the server as for every reader.
  const { timeZone } = useMarket();
  const query = useQuery(marketPageQuery(slug));
  const { data, error } = query;
  useTitle(data?.title);
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  return (
    <div className="wrap py-8 sm:py-12">
      <Fetched
        query={query}
        skeleton={
          <Loading>
            <Skeleton className="mb-6 h-10 max-w-sm" />
            <Skeleton className="h-96 max-w-prose" />
          </Loading>
        }
      >
        {(page) => (
          <article>
            <PageHeader
              title={page.title}
              text={t('Last changed on {localToday}', {
                localToday: formatWallDate(localToday(new Date(page.updatedAt), timeZone), 'year'),
              })}
            />
            <MarketText body={page.body} />
          </article>
        )}
      </Fetched>
    </div>
  );
}

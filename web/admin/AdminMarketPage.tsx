import { type QueryClient, useQuery } from '@tanstack/react-query';
import { marketQuery } from '../lib/market.ts';
import { MarketSettingsForm } from '../market/MarketSettingsForm.tsx';
import { Card } from '../ui/primitives/Card.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { SkeletonRows } from '../ui/primitives/Skeleton.tsx';
import { OneImageUpload } from '../uploads/OneImageUpload.tsx';
import { AdminFrame } from './AdminFrame.tsx';
import { MarketTabs } from './MarketTabs.tsx';

/** Prefetches the settings when a link to the page is hovered. */
export function prefetch(client: QueryClient): void {
  void client.prefetchQuery(marketQuery());
}

/** The settings of the market. */
export default function AdminMarketPage() {
  const { data: market, error, refetch, isFetching } = useQuery(marketQuery());
  return (
    <AdminFrame title="Market">
      <MarketTabs />
      {market ? (
        <Card>
          <MarketSettingsForm
            market={market}
            logoField={(field) => <OneImageUpload {...field} />}
          />
        </Card>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <SkeletonRows />
      )}
    </AdminFrame>
  );
}

import { type QueryClient, useQuery } from '@tanstack/react-query';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { MarketTabs } from '../../admin/admin/MarketTabs.tsx';
import { MarketSettingsForm } from '../../admin/market/MarketSettingsForm.tsx';
import { marketQuery } from '../../platform/format/market.ts';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { OneImageUpload } from '../../platform/uploads/ImageUpload.tsx';

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

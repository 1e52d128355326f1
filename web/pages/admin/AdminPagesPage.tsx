import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MARKET_PAGE_NAMES } from '#contract/admin/market-pages/constants';
import { MARKET_PAGES, type MarketPageSlug } from '#contract/platform/market/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { MarketTabs } from '../../admin/admin/MarketTabs.tsx';
import { AnnouncementForm } from '../../admin/market/AnnouncementForm.tsx';
import { MarketPageEditor } from '../../admin/market/MarketPageEditor.tsx';
import { marketPageQuery } from '../../admin/market/queries.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { useMarket } from '../../platform/format/market.ts';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { Tabs } from '../../platform/ui/lists/Tabs.tsx';
import { Card } from '../../platform/ui/primitives/Card.tsx';

const USES: Readonly<Record<MarketPageSlug, string>> = {
  terms: 'Whoever opens an account has to agree to them. Linked at the foot of every page.',
  privacy: 'How the market handles personal data. Linked at the foot of every page.',
  help: 'What people ask again and again. Linked at the foot of every page.',
  about: 'Takes the place of the text behind “About Us”.',
};

/** What the market says: an announcement to everybody, and its texts. The open text is kept in the URL. */
export default function AdminPagesPage() {
  const market = useMarket();
  const [slug, setSlug] = useSearchParamChoice('page', MARKET_PAGES, 'terms');
  return (
    <AdminFrame title="Pages">
      <MarketTabs />
      <div className="grid gap-6">
        <Card as="section" aria-labelledby="announcement" className="max-w-3xl">
          <h2 id="announcement" className="mb-4 text-lg">
            Announcement
          </h2>
          {/* A change by another admin resets the form. */}
          <AnnouncementForm
            key={JSON.stringify(market.announcement)}
            announcement={market.announcement}
          />
        </Card>
        <Tabs
          label="Pages"
          value={slug}
          onChange={(value) => setSlug(MARKET_PAGES.find((each) => each === value) ?? slug)}
          tabs={MARKET_PAGES.map((each) => ({
            value: each,
            label: `${MARKET_PAGE_NAMES[each]}${market.pages.includes(each) ? '' : ' (not written)'}`,
            content:
              each === slug ? (
                <PagePart slug={each} isWritten={market.pages.includes(each)} />
              ) : null,
          }))}
        />
      </div>
    </AdminFrame>
  );
}

function PagePart({ slug, isWritten }: { slug: MarketPageSlug; isWritten: boolean }) {
  const {
    data: page,
    error,
    refetch,
    isFetching,
  } = useQuery({ ...marketPageQuery(slug), enabled: isWritten });
  // Whoever writes the first text goes on in the same form once it is saved.
  const [beganUnwritten] = useState(!isWritten);
  // Another admin may have taken it away a moment ago.
  const isGone = error instanceof ApiError && error.status === 404;
  const hasForm = page !== undefined || beganUnwritten || !isWritten || isGone;
  return (
    <div className="grid gap-4">
      <p className="text-ink-soft">{USES[slug]}</p>
      {hasForm ? (
        <MarketPageEditor slug={slug} page={isWritten && !isGone ? page : undefined} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
    </div>
  );
}

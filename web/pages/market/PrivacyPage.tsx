import type { QueryClient } from '@tanstack/react-query';
import { MarketTextView } from '../../admin/market/MarketTextView.tsx';
import { marketPageQuery } from '../../admin/market/queries.ts';
import NotFoundPage from '../home/NotFoundPage.tsx';

/** Prefetches the text. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(marketPageQuery('privacy'));

/** How the market handles personal data. */
export default function PrivacyPage() {
  return <MarketTextView slug="privacy" missing={<NotFoundPage />} />;
}

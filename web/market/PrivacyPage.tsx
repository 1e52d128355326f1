import type { QueryClient } from '@tanstack/react-query';
import NotFoundPage from '../app/NotFoundPage.tsx';
import { MarketTextView } from './MarketTextView.tsx';
import { marketPageQuery } from './queries.ts';

/** Prefetches the text. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(marketPageQuery('privacy'));

/** How the market handles personal data. */
export default function PrivacyPage() {
  return <MarketTextView slug="privacy" missing={<NotFoundPage />} />;
}

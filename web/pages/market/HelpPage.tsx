import type { QueryClient } from '@tanstack/react-query';
import { MarketTextView } from '../../admin/market/MarketTextView.tsx';
import { marketPageQuery } from '../../admin/market/queries.ts';
import NotFoundPage from '../home/NotFoundPage.tsx';

/** Prefetches the text. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(marketPageQuery('help'));

/** What people ask again and again. */
export default function HelpPage() {
  return <MarketTextView slug="help" missing={<NotFoundPage />} />;
}

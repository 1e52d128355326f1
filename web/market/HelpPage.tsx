import type { QueryClient } from '@tanstack/react-query';
import NotFoundPage from '../app/NotFoundPage.tsx';
import { MarketTextView } from './MarketTextView.tsx';
import { marketPageQuery } from './queries.ts';

/** Prefetches the text. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(marketPageQuery('help'));

/** What people ask again and again. */
export default function HelpPage() {
  return <MarketTextView slug="help" missing={<NotFoundPage />} />;
}

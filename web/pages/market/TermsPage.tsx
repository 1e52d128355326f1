import type { QueryClient } from '@tanstack/react-query';
import { MarketTextView } from '../../admin/market/MarketTextView.tsx';
import { marketPageQuery } from '../../admin/market/queries.ts';
import NotFoundPage from '../home/NotFoundPage.tsx';

/** Prefetches the text. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(marketPageQuery('terms'));

/** The terms to which whoever opens an account agrees. */
export default function TermsPage() {
  return <MarketTextView slug="terms" missing={<NotFoundPage />} />;
}

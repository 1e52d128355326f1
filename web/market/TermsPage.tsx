import type { QueryClient } from '@tanstack/react-query';
import NotFoundPage from '../app/NotFoundPage.tsx';
import { MarketTextView } from './MarketTextView.tsx';
import { marketPageQuery } from './queries.ts';

/** Prefetches the text. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(marketPageQuery('terms'));

/** The terms to which whoever opens an account agrees. */
export default function TermsPage() {
  return <MarketTextView slug="terms" missing={<NotFoundPage />} />;
}

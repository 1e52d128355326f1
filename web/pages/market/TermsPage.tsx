import { MarketTextView, prefetchText } from './MarketTextView.tsx';

export const prefetch = prefetchText('terms');

/** The terms to which whoever opens an account agrees. */
export default function TermsPage() {
  return <MarketTextView slug="terms" />;
}

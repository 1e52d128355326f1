import { MarketTextView, prefetchText } from './MarketTextView.tsx';

export const prefetch = prefetchText('terms');

/** The terms that people agree to when they open an account. */
export default function TermsPage() {
  return <MarketTextView slug="terms" />;
}

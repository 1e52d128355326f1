import { MarketTextView, prefetchText } from './MarketTextView.tsx';

export const prefetch = prefetchText('help');

/** What people ask again and again. */
export default function HelpPage() {
  return <MarketTextView slug="help" />;
}

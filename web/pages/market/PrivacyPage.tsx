import { MarketTextView, prefetchText } from './MarketTextView.tsx';

export const prefetch = prefetchText('privacy');

/** How the market handles personal data. */
export default function PrivacyPage() {
  return <MarketTextView slug="privacy" />;
}

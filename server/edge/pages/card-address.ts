/** What a card shows: the market, a product or a farm. */
export type CardSubject = 'market' | 'product' | 'farm';

/**
 * Returns the path of a card. The version is in it, because those who show cards keep them: another price is another
 * address.
 */
export function cardPathOf(
  subject: CardSubject,
  { _id, version }: { _id: string; version?: number | undefined } = { _id: '' },
): string {
  if (subject === 'market') return '/cards/market.jpg';
  return `/cards/${subject}/${_id}.jpg${version === undefined ? '' : `?v=${version}`}`;
}

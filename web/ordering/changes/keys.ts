import type { ShareShortage } from '#contract/ordering/changes/order-changes';

/** The keys of this feature in the query cache. */
export const changesKeys = {
  wishes: (productIds: readonly string[]) => ['wishes', ...productIds] as const,
  /** What a farm sells, to choose from; it begins as the lists of products do, so that their events reach it. */
  goods: (farmId: string, search: string) => ['products', 'goods', farmId, search] as const,
  nextDayWith: (productId: string, today: string) => ['next-day-with', productId, today] as const,
  progress: (id: string) => ['shortage-progress', id] as const,
  preview: (body: ShareShortage) => ['shortage-preview', body] as const,
};

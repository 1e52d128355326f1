import type { ProposedAction } from '#contract/ordering/changes/constants/order-lines';
import type { ShortWish } from '#contract/platform/orders/constants';

/**
 * Returns whether what a farm wants of a line is done at once, as the buyer wished beforehand: the line is left out, or
 * comes something of the same category. Everything else asks them, and so does whatever is dearer: less of goods that
 * were weighed light can be, at its estimate.
 */
export function goesByWish(
  wish: ShortWish,
  action: Exclude<ProposedAction, 'overweight'>,
  { isSameCategory, isDearer }: { isSameCategory: boolean; isDearer: boolean },
): boolean {
  if (isDearer) return false;
  if (wish === 'leave_out') return action !== 'substitute';
  return wish === 'similar' && action === 'substitute' && isSameCategory;
}

/** What an entry of an order's timeline says of lines that came instead of others. */
interface LinesEntry {
  kind: string;
  detail?: unknown;
}

/** Returns the lines that came instead of others by the buyer's wish for a shortage, by the order's timeline. */
export const linesByWish = (timeline: readonly LinesEntry[]): ReadonlySet<string> =>
  new Set(
    timeline.flatMap(({ kind, detail }) => {
      const { cause, differences = [] } = (detail ?? {}) as {
        cause?: string;
        differences?: { lineId: string; replaces?: string }[];
      };
      if (kind !== 'lines' || cause !== 'shortage') return [];
      return differences.filter(({ replaces }) => replaces).map(({ lineId }) => lineId);
    }),
  );

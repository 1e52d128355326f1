import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Product } from '#contract/catalogue/products/product';
import type { Handoff } from '#contract/farm/farmers/farmers';
import { type Stocked, stepsOf } from '#contract/platform/quantities/constants/steps';
import { productQuery } from '../../catalogue/products/queries.ts';
import { isOnMarket } from '../../catalogue/products/rules.ts';
import { canBring } from '../../farm/model/handoff.ts';
import type { LineDetails } from '../../ordering/cart/CartLines.tsx';
import type { Offer } from '../../ordering/cart/reconcile.ts';
import type { Refused } from '../../ordering/cart/refused-offers.ts';
import type { Cart } from '../../ordering/cart/rules.ts';
import { firstToEnd, type LastDay } from '../../ordering/model/last-day.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';

/**
 * Returns the current offer of each line: refetched on mount and updated live. The offer in a refusal
 * applies until a newer version of the product is known. `lastDay` is until when all can be had that any day can bring:
 * null for no end, undefined while it is not known.
 * @param handoff the farm's; what the product knows of it where that is not known
 */
export function useOffers(cart: Cart, refused: Refused, handoff: Handoff | undefined) {
  const ids = [...new Set(cart.lines.map((line) => line.productId))];
  useWatchProducts(ids);
  const queries = useQueries({
    queries: ids.map((id) => ({ ...productQuery(id), refetchOnMount: 'always' as const })),
  });
  const offers = new Map<string, Offer>();
  const versions = new Map<string, number>();
  const details = new Map<string, LineDetails>();
  const now = useNow(60_000);
  const offered: Product[] = [];
  for (const [index, { data, error }] of queries.entries()) {
    const id = ids[index] ?? '';
    const isGone = error instanceof ApiError && error.status === 404;
    if (isGone || (data && !isOnMarket(data))) offers.set(id, null);
    else if (data && canBring(handoff ?? data.farmer.handoff, data.availableUntil, now)) {
      offers.set(id, data);
      offered.push(data);
    } else if (data) {
      // That a farm takes no orders at all is no matter of the product.
      offers.set(id, { ...data, missedDay: data.availableUntil ?? undefined });
    }
    if (data) versions.set(id, data.version);
    const fromRefusal = refused.get(id);
    if (fromRefusal && fromRefusal.version === data?.version) offers.set(id, fromRefusal.offer);
    const left =
      fromRefusal?.offer && fromRefusal.version === data?.version ? fromRefusal.offer : data;
    if (data && left) {
      const { pieceWeight, step, minimum, sizes, ...rest } = data;
      details.set(id, {
        ...rest,
        ...toStocked(left),
        unit: left.unit ?? data.unit,
        sizes: left.sizes,
        ...(left.pieceWeight ? { pieceWeight: left.pieceWeight } : {}),
      });
    }
  }
  const refetch = () => Promise.all(queries.map((query) => query.refetch()));
  const isKnown = !queries.some(isFirstTry);
  const { day, name } = firstToEnd(offered) ?? {};
  const lastDay = useMemo((): LastDay | null | undefined => {
    if (!isKnown) return undefined;
    return day && name ? { day, name } : null;
  }, [isKnown, day, name]);
  return { offers, versions, details, lastDay, refetch };
}

/** Returns until when all of these products can be had: null for no end, undefined while it is not known. */
export function useLastDay(productIds: readonly string[]): LastDay | null | undefined {
  const queries = useQueries({ queries: productIds.map((id) => productQuery(id)) });
  return queries.some(isFirstTry)
    ? undefined
    : firstToEnd(queries.flatMap(({ data }) => data ?? []));
}

const toStocked = ({ quantityAvailable, ...steps }: Stocked): Stocked => ({
  quantityAvailable,
  ...stepsOf(steps),
});

/** Whether a query is at its first attempt: the form waits for that, but not for retries. */
export const isFirstTry = (
  query: Pick<UseQueryResult, 'isPending' | 'isFetching' | 'failureCount'>,
) => query.isPending && query.isFetching && query.failureCount === 0;

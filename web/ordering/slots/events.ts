import type { QueryClient } from '@tanstack/react-query';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, patch } from '../../platform/realtime/reducer.ts';

/** The keys of pickup slots in the query cache; each begins with `all`. */
export const slotsKeys = {
  all: ['slots'] as const,
  /** What one farm offers, of whatever days. */
  offeredBy: (farmId: string) => ['slots', 'offered', farmId] as const,
  offered: (farmId: string, from: string, to: string) =>
    ['slots', 'offered', farmId, from, to] as const,
  /** The slots of the signed-in person's farm, of whatever days. */
  own: () => ['slots', 'own'] as const,
  ownOf: (from: string, to: string) => ['slots', 'own', from, to] as const,
  /** The orders of whatever slot. */
  allOrders: () => ['slots', 'orders'] as const,
  orders: (id: string) => ['slots', 'orders', id] as const,
};

/** Refetches the slots of a farm: what changed concerns many of them, or those not made yet. */
function refetchSlots(cache: QueryClient, farmId: string): void {
  refetch(cache, slotsKeys.offeredBy(farmId));
  refetch(cache, slotsKeys.own());
}

/** The orders of slots, whose status and number may have changed. */
const refetchOrders = (cache: QueryClient): void => refetch(cache, slotsKeys.allOrders());

/** Keeps the slots current, as consumers and as their farm see them. */
export const slotReducers = {
  'slot.updated': (cache, { data }) => {
    const { _id, farmId, hasLimit, remaining, state, taken, capacity } = data;
    patch<OfferedSlot>(cache, slotsKeys.offeredBy(farmId), _id, (slot) => ({
      ...slot,
      hasLimit,
      remaining,
      state,
    }));
    // Only the farm itself receives the numbers.
    if (taken === undefined || capacity === undefined) return;
    patch<FarmSlot>(cache, slotsKeys.own(), _id, (slot) => ({
      ...slot,
      state,
      taken,
      capacity,
    }));
    refetch(cache, slotsKeys.orders(_id));
    // A slot that is no longer offered is listed for the orders that it has.
    if (taken === 0) refetch(cache, slotsKeys.own());
  },
  'place.changed': (cache, { data }) => refetchSlots(cache, data.farmId),
  // Its cut-off, closed days or time zone may be others.
  'farmer.updated': (cache, { data }) => refetchSlots(cache, data._id),
  'farmer.deleted': (cache, { data }) => refetchSlots(cache, data._id),
  'farmer.listingChanged': (cache, { data }) => refetchSlots(cache, data._id),
  'order.created': refetchOrders,
  'order.updated': refetchOrders,
  'order.moveSeen': refetchOrders,
} satisfies FeatureReducers;

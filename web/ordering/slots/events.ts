import type { QueryClient } from '@tanstack/react-query';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, patch } from '../../platform/realtime/reducer.ts';
import { slotsKeys } from './keys.ts';

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

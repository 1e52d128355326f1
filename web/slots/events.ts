import type { QueryClient } from '@tanstack/react-query';
import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { slotsKeys } from './keys.ts';

const refetchSlots = (cache: QueryClient, farmId: string) => {
  refetch(cache, slotsKeys.offeredBy(farmId));
  refetch(cache, slotsKeys.own());
};

/** Keeps slots current: what is offered to buyers, and what the farm sees of its own. */
export const slotReducers = {
  'slot.updated': (cache, { data }) => refetchSlots(cache, data.farmId),
  'place.changed': (cache, { data }) => refetchSlots(cache, data.farmId),
  // The farm's days or clock may have changed.
  'farmer.updated': (cache, { data }) => refetchSlots(cache, data._id),
} satisfies FeatureReducers;

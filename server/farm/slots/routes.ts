import { slotsApi } from '#contract/farm/slots/slots';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import { listFarmSlots, listOfferedSlots } from './read.ts';
import { updateSlot } from './service.ts';

/** Routes of pickup slots; those that move orders are in `server/orders`. */
export const slotsRoutes = (platform: Platform): Route[] => [
  route(slotsApi.offered, async ({ params, query, user }) => ({
    data: await listOfferedSlots(platform, params.id, query, user),
  })),
  route(slotsApi.list, async ({ user, query }) => ({
    data: await listFarmSlots(platform, actingFarm(user), query),
  })),
  route(slotsApi.update, async ({ params, user, body }) => ({
    data: await updateSlot(platform, user, params.id, body),
  })),
];

import { picklistApi } from '#contract/ordering/picklist/picklist';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import { getPicklist, listPickDays, listPickOrders } from './list.ts';
import { getPrint, printPicklist } from './print.ts';
import { markSeen } from './seen.ts';
import { tickProduct } from './tick.ts';

/** The calls of the pick list; an order is packed by `/orders/:id/packing`. */
export const picklistRoutes = (platform: Platform): Route[] => [
  route(picklistApi.list, async ({ user, query }) => ({
    data: await getPicklist(platform, actingFarm(user), query),
  })),
  route(picklistApi.orders, async ({ user, query }) =>
    listAnswer(await listPickOrders(platform, actingFarm(user), query)),
  ),
  route(picklistApi.days, async ({ user, query }) => ({
    data: await listPickDays(platform, actingFarm(user), query),
  })),
  route(picklistApi.print, async ({ user, body }) => ({
    data: await printPicklist(platform, user, body),
  })),
  route(picklistApi.readPrint, async ({ user, params }) => ({
    data: await getPrint(platform, actingFarm(user), params.id),
  })),
  route(picklistApi.tick, async ({ user, body }) => ({
    data: await tickProduct(platform, user, body),
  })),
  route(picklistApi.markSeen, async ({ user, body }) => ({
    data: await markSeen(platform, user, body),
  })),
];

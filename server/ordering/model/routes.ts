import { movesApi } from '#contract/ordering/moves/moves';
import { ordersApi } from '#contract/ordering/orders/orders';
import { picklistApi } from '#contract/ordering/picklist/picklist';
import { noteAddressUsed } from '../../people/users/addresses.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import { moveDay } from '../moves/move-day.ts';
import { moveOrderToSlot, moveSlotOrders } from '../moves/move-slot.ts';
import { listSlotOrders } from '../moves/slot-orders.ts';
import { orderAgain } from '../place/again.ts';
import { placeOrder } from '../place/place.ts';
import { changeOrderStatus, changeOrderStatuses } from '../status/change-status.ts';
import { packOrder } from '../status/pack.ts';
import { listAllOrders } from './list-all.ts';
import { getOrder, listPlacedOrders, listReceivedOrders } from './read.ts';
import { countPendingOrders, farmerStats } from './stats.ts';

/** The calls of `/orders`, and those of slots that read or move orders. */
export const ordersRoutes = (platform: Platform): Route[] => [
  route(
    ordersApi.place,
    async ({ user, body, idempotencyKey }) => {
      const data = await placeOrder(platform, user, body, idempotencyKey);
      const { deliveryDetails } = body;
      if (deliveryDetails) await noteAddressUsed(platform, user.id, deliveryDetails.address);
      return { data };
    },
    // One statement reads the key with all else, and another writes it with the order.
    { storesAnswer: true },
  ),
  route(ordersApi.placed, async ({ user, query }) =>
    listAnswer(await listPlacedOrders(platform, user.id, query)),
  ),
  route(ordersApi.received, async ({ user, query }) =>
    listAnswer(await listReceivedOrders(platform, actingFarm(user), query)),
  ),
  route(ordersApi.farmerStats, async ({ user }) => ({
    data: await farmerStats(platform, user),
  })),
  route(ordersApi.pendingCount, async ({ user }) => ({
    data: { pendingOrders: await countPendingOrders(platform, actingFarm(user)) },
  })),
  route(ordersApi.all, async ({ query }) => listAnswer(await listAllOrders(platform, query))),
  route(ordersApi.detail, async ({ params, user }) => ({
    data: await getOrder(platform, params.id, user),
  })),
  route(ordersApi.again, async ({ params, user }) => ({
    data: await orderAgain(platform, user, params.id),
  })),
  // Before the path with an id, which would take `status` for one.
  route(ordersApi.updateStatuses, async ({ user, body }) => ({
    data: await changeOrderStatuses(platform, user, body),
  })),
  route(ordersApi.updateStatus, async ({ params, user, body }) => ({
    data: await changeOrderStatus(platform, user, params.id, body),
  })),
  route(picklistApi.pack, async ({ params, user, body }) => ({
    data: await packOrder(platform, user, params.id, body),
  })),
  route(movesApi.moveOrder, async ({ params, user, body }) => ({
    data: await moveOrderToSlot(platform, user, params.id, body),
  })),
  route(movesApi.orders, async ({ params, user, query }) =>
    listAnswer(await listSlotOrders(platform, actingFarm(user), params.id, query)),
  ),
  route(movesApi.move, async ({ params, user, body }) => ({
    data: await moveSlotOrders(platform, user, params.id, body),
  })),
  route(movesApi.moveDay, async ({ user, body }) => ({
    data: await moveDay(platform, user, body),
  })),
];

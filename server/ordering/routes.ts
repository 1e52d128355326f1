import { productsApi } from '#contract/catalogue/products/products';
import { farmersApi } from '#contract/farm/farmers/farmers';
import { placesApi } from '#contract/farm/places/places';
import { scheduleApi } from '#contract/farm/schedule/schedule';
import { attentionApi } from '#contract/ordering/attention/attention';
import { calendarApi } from '#contract/ordering/calendar/calendar';
import { orderChangesApi } from '#contract/ordering/changes/order-changes';
import { lotsApi } from '#contract/ordering/lots/lots';
import { movesApi } from '#contract/ordering/moves/moves';
import { ordersApi } from '#contract/ordering/orders/orders';
import { picklistApi } from '#contract/ordering/picklist/picklist';
import { weightsApi } from '#contract/ordering/weights/weights';
import type { Page } from '#contract/platform/http/http';
import { updateProduct } from '../catalogue/products/service.ts';
import { updatePlace } from '../farm/places/service.ts';
import { updateSchedule } from '../farm/schedule/service.ts';
import { noteAddressUsed } from '../people/users/addresses.ts';
import type { Platform } from '../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../platform/http/route.ts';
import { actingFarm } from '../platform/sessions/lock-caller.ts';
import {
  acknowledgeAttentions,
  acknowledgeByToken,
  listAttentions,
  seeAttentions,
  setOff,
  tryOut,
} from './attention/commands.ts';
import { readEscalation, updateEscalation } from './attention/escalation.ts';
import {
  closeFarmCalendar,
  openFarmCalendar,
  readFarmCalendar,
  readOrderFile,
} from './calendar/service.ts';
import {
  answerChange,
  changeItems,
  proposeChange,
  readPreferences,
  setWish,
  withdrawChange,
} from './changes/commands.ts';
import { CLOSING_TIMES_MS, meetingOrders } from './closing/closing.ts';
import { updateFarmProfile } from './closing/farm-profile.ts';
import {
  getOrder,
  listAllOrders,
  listPlacedOrders,
  listReceivedOrders,
  listSlotOrders,
} from './model/read.ts';
import { countPendingOrders, farmerStats } from './model/stats.ts';
import { moveDay, moveOrderToSlot, moveSlotOrders } from './moves/move-slot.ts';
import { getPicklist, listPickDays, listPickOrders } from './picklist/list.ts';
import { getPrint, printPicklist } from './picklist/print.ts';
import { markSeen, tickProduct } from './picklist/tick.ts';
import { placeOrder } from './place/place.ts';
import { reorder } from './place/reorder.ts';
import { shareShortage } from './shortage/share-shortage.ts';
import { readShortageProgress } from './shortage/shortage-progress.ts';
import { changeOrderStatus, changeOrderStatuses, packOrder } from './status/change-status.ts';
import { exportLot, listLot } from './status/lot-lines.ts';
import { WEIGH_TIMES_MS, weighLine, weighLines } from './weights/weigh.ts';

/** Answers with what a command or a read returns. */
const answer = async <Data>(data: Promise<Data>) => ({ data: await data });
const answerList = async <Item>(page: Promise<Page<Item>>) => listAnswer(await page);

/** The calls of orders: of their lines, statuses, times and weights, of the pick list and of calendars. */
export const orderingRoutes = (platform: Platform): Route[] => [
  // Paths with a word come before those with the id of an order in its place, which would take the word for one.
  route(orderChangesApi.wishes, ({ user, query }) =>
    answer(readPreferences(platform, user.id, query.products)),
  ),
  route(orderChangesApi.propose, ({ user, params, body }) =>
    answer(proposeChange(platform, user, params.id, body)),
  ),
  route(orderChangesApi.answer, ({ user, params, body }) =>
    answer(answerChange(platform, user, params, body)),
  ),
  route(orderChangesApi.withdraw, ({ user, params }) =>
    answer(withdrawChange(platform, user, params)),
  ),
  route(orderChangesApi.setWish, ({ user, params, body }) =>
    answer(setWish(platform, user, params, body)),
  ),
  route(orderChangesApi.shareShortage, ({ user, query, body }) => {
    const isPreview = query.preview === 'true';
    return answer(shareShortage(platform, user, actingFarm(user), { ...body, isPreview }));
  }),
  route(orderChangesApi.readShortage, ({ user, params }) =>
    answer(readShortageProgress(platform, actingFarm(user), params.id)),
  ),
  route(orderChangesApi.changeItems, ({ user, params, body }) =>
    answer(changeItems(platform, user, params.id, body)),
  ),
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
  route(ordersApi.placed, ({ user, query }) =>
    answerList(listPlacedOrders(platform, user.id, query)),
  ),
  route(ordersApi.received, ({ user, query }) =>
    answerList(listReceivedOrders(platform, actingFarm(user), query)),
  ),
  route(ordersApi.farmerStats, ({ user }) => answer(farmerStats(platform, user))),
  route(ordersApi.pendingCount, async ({ user }) => ({
    data: { pendingOrders: await countPendingOrders(platform, actingFarm(user)) },
  })),
  route(ordersApi.all, ({ query }) => answerList(listAllOrders(platform, query))),
  route(ordersApi.detail, ({ params, user }) => answer(getOrder(platform, params.id, user))),
  route(ordersApi.again, ({ params, user }) => answer(reorder(platform, user, params.id))),
  route(ordersApi.updateStatuses, ({ user, body }) =>
    answer(changeOrderStatuses(platform, user, body)),
  ),
  route(ordersApi.updateStatus, ({ params, user, body }) =>
    answer(changeOrderStatus(platform, user, params.id, body)),
  ),
  route(picklistApi.pack, ({ params, user, body }) =>
    answer(packOrder(platform, user, params.id, body)),
  ),
  route(lotsApi.list, ({ user, query }) => answerList(listLot(platform, user, query))),
  route(lotsApi.file, ({ user, query }) => answer(exportLot(platform, user, query))),
  route(movesApi.moveOrder, ({ params, user, body }) =>
    answer(moveOrderToSlot(platform, user, params.id, body)),
  ),
  route(movesApi.orders, ({ params, user, query }) =>
    answerList(listSlotOrders(platform, actingFarm(user), params.id, query)),
  ),
  route(movesApi.move, ({ params, user, body }) =>
    answer(moveSlotOrders(platform, user, params.id, body)),
  ),
  route(movesApi.moveDay, ({ user, body }) => answer(moveDay(platform, user, body))),
  route(weightsApi.weigh, ({ params: { id, lineId }, user, body }) =>
    answer(weighLine(platform, user, id, { ...body, lineId })),
  ),
  route(weightsApi.weighAll, ({ user, body }) => answer(weighLines(platform, user, body)), {
    times: WEIGH_TIMES_MS,
  }),
  route(picklistApi.list, ({ user, query }) =>
    answer(getPicklist(platform, actingFarm(user), query)),
  ),
  route(picklistApi.orders, ({ user, query }) =>
    answerList(listPickOrders(platform, actingFarm(user), query)),
  ),
  route(picklistApi.days, ({ user, query }) =>
    answer(listPickDays(platform, actingFarm(user), query)),
  ),
  route(picklistApi.print, ({ user, body }) => answer(printPicklist(platform, user, body))),
  route(picklistApi.readPrint, ({ user, params }) =>
    answer(getPrint(platform, actingFarm(user), params.id)),
  ),
  route(picklistApi.tick, ({ user, body }) => answer(tickProduct(platform, user, body))),
  route(picklistApi.markSeen, ({ user, body }) => answer(markSeen(platform, user, body))),
  route(calendarApi.order, ({ params, user }) => answer(readOrderFile(platform, params.id, user))),
  route(calendarApi.farm, ({ user }) => answer(readFarmCalendar(platform, user))),
  route(calendarApi.openFarm, ({ user }) => answer(openFarmCalendar(platform, user))),
  route(calendarApi.closeFarm, async ({ user }) => {
    await closeFarmCalendar(platform, user);
    return {};
  }),
  route(attentionApi.list, ({ user }) => answer(listAttentions(platform, user))),
  route(attentionApi.acknowledge, ({ user, body }) =>
    answer(acknowledgeAttentions(platform, user, body.ids)),
  ),
  route(attentionApi.acknowledgeByToken, ({ body }) =>
    answer(acknowledgeByToken(platform, body.token)),
  ),
  route(attentionApi.see, async ({ user, body }) => {
    await seeAttentions(platform, user, body.ids);
    return {};
  }),
  route(attentionApi.setOff, ({ user, body }) => answer(setOff(platform, user, body.isOff))),
  route(attentionApi.plan, ({ user }) => answer(readEscalation(platform, user))),
  route(attentionApi.updatePlan, ({ user, body }) =>
    answer(updateEscalation(platform, user, body)),
  ),
  route(attentionApi.tryOut, async ({ user }) => {
    await tryOut(platform, user);
    return {};
  }),

  // Changes of a farm that may meet open orders.
  route(
    farmersApi.updateProfile,
    ({ user, query, body }) =>
      answer(meetingOrders(platform, user, query, () => updateFarmProfile(platform, user, body))),
    { times: CLOSING_TIMES_MS },
  ),
  route(
    scheduleApi.update,
    ({ user, query, body }) =>
      answer(meetingOrders(platform, user, query, () => updateSchedule(platform, user, body))),
    { times: CLOSING_TIMES_MS },
  ),
  route(
    placesApi.update,
    ({ params, user, query, body }) =>
      answer(
        meetingOrders(platform, user, query, () => updatePlace(platform, user, params.id, body)),
      ),
    { times: CLOSING_TIMES_MS },
  ),
  route(
    productsApi.update,
    ({ params, user, query, body }) =>
      answer(
        meetingOrders(platform, user, { ...query, productId: params.id }, () =>
          updateProduct(platform, user, params.id, body),
        ),
      ),
    { times: CLOSING_TIMES_MS },
  ),
];

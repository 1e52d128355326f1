import type { LoggedEventName } from '#contract/platform/events/event';
import { adminFeedQuery, adminStatsQuery } from '../../admin/admin/queries.ts';
import { followsQuery } from '../../catalogue/follows/queries.ts';
import {
  featuredProductsQuery,
  productFacetsQuery,
  productsQuery,
} from '../../catalogue/products/queries.ts';
import { farmerQuery, farmersQuery, firstFarmersQuery } from '../../farm/farmers/queries.ts';
import { conversationsQuery } from '../../farm/messages/queries.ts';
import { farmQueueQuery, ownOpeningQuery } from '../../farm/opening/queries.ts';
import { ownPauseQuery } from '../../farm/pause/queries.ts';
import { ownScheduleQuery, possibleDaysQuery } from '../../farm/schedule/queries.ts';
import { ownPaymentQuery } from '../../money/payment/queries.ts';
import { ordersQuery } from '../../ordering/orders/queries.ts';
import { offeredSlotsQuery } from '../../ordering/slots/queries.ts';
import { admin, becomes, type Case, consumer, farmer, type World } from './world.ts';

/** The days of slots that are shown. */
export const days = { from: '2026-11-02', to: '2026-11-08' };

const offMarket = (world: World): World => ({
  ...world,
  products: world.products.filter((item) => item.farmer._id !== farmer._id),
  farms: world.farms.filter((farm) => farm._id !== farmer._id),
});
/** The world after the farm was deleted. */
export const withoutFarm = (world: World): World => ({
  ...offMarket(world),
  users: world.users.map((user) =>
    user._id === farmer._id ? { ...user, name: 'Deleted user' } : user,
  ),
  orders: world.orders.map((item) => ({
    ...item,
    farmer: { ...item.farmer, name: 'Deleted user', farmName: '' },
  })),
});

type FarmEvent = Extract<
  LoggedEventName,
  `farmer.${string}` | 'farm.approvalChanged' | 'farm.paused'
>;

/** One case for every event of a farm as a whole. */
export const farmCases: { [Name in FarmEvent]: Case<Name> } = {
  'farmer.updated': {
    me: consumer,
    shows: [
      followsQuery(),
      farmersQuery(),
      farmerQuery(farmer._id),
      possibleDaysQuery(farmer._id),
      ownScheduleQuery(),
      ownPauseQuery(),
      ownPaymentQuery(),
      offeredSlotsQuery(farmer._id, days),
    ],
    data: { _id: farmer._id },
    happens: (world) => ({
      ...world,
      farmDescription: 'Hills and a brook.',
      // Its cut-off may be another.
      slots: world.slots.map((item) => ({ ...item, closesAt: '2026-11-04T18:00:00.000Z' })),
    }),
  },
  'farm.approvalChanged': {
    me: admin,
    shows: [farmQueueQuery('waiting'), ownOpeningQuery(), adminStatsQuery()],
    data: { _id: farmer._id, name: 'Green Valley', state: 'waiting', reason: null },
    happens: becomes({ isFarmWaiting: true }),
  },
  'farm.paused': {
    me: admin,
    shows: [adminFeedQuery()],
    data: { _id: farmer._id, until: '2026-11-04T18:00:00.000Z', timeZone: 'UTC' },
    happens: becomes({ isFarmPaused: true }),
  },
  'farmer.deleted': {
    me: consumer,
    shows: [
      productsQuery(),
      productsQuery({ farmer: farmer._id }),
      productsQuery({}, 'price-asc'),
      featuredProductsQuery(),
      farmersQuery(),
      followsQuery(),
      firstFarmersQuery(3),
      ordersQuery('mine'),
      conversationsQuery(),
    ],
    data: { _id: farmer._id },
    happens: withoutFarm,
  },
  'farmer.listingChanged': {
    me: consumer,
    shows: [
      productsQuery(),
      productsQuery({ farmer: farmer._id }),
      productFacetsQuery({}),
      featuredProductsQuery(),
      farmersQuery(),
      followsQuery(),
      firstFarmersQuery(3),
      offeredSlotsQuery(farmer._id, days),
    ],
    data: { _id: farmer._id, isListed: false },
    happens: (world) => ({ ...offMarket(world), slots: [] }),
  },
};

import type { ImportRow } from '#contract/catalogue/imports/imports';
import type { PickPrint, PickTick } from '#contract/ordering/picklist/picklist';
import type { User } from '#contract/people/users/users';
import type { LoggedEventName } from '#contract/platform/events/event';
import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import {
  adminStatsQuery,
  notesQuery,
  personProductsQuery,
  reportsQuery,
  userNotesQuery,
} from '../../admin/admin/queries.ts';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { followsQuery, stockAlertQuery } from '../../catalogue/follows/queries.ts';
import { importQuery } from '../../catalogue/imports/queries.ts';
import {
  ownProductsQuery,
  productFacetsQuery,
  productQuery,
  productsQuery,
} from '../../catalogue/products/queries.ts';
import { farmersQuery } from '../../farm/farmers/queries.ts';
import { membersQuery } from '../../farm/members/queries.ts';
import { conversationsQuery, threadQuery } from '../../farm/messages/queries.ts';
import { placesQuery } from '../../farm/places/queries.ts';
import {
  farmerStatsQuery,
  orderQuery,
  ordersQuery,
  pendingCountQuery,
  waitingOrdersQuery,
} from '../../ordering/orders/queries.ts';
import { pickDaysQuery, picklistQuery } from '../../ordering/picklist/queries.ts';
import {
  farmSlotsQuery,
  offeredSlotsQuery,
  slotOrdersQuery,
} from '../../ordering/slots/queries.ts';
import { addressesQuery } from '../../people/addresses/queries.ts';
import { phoneQuery } from '../../people/notifications/phone.ts';
import { notificationsQuery, preferencesQuery } from '../../people/notifications/queries.ts';
import { usersQuery } from '../../people/users/queries.ts';
import { marketQuery } from '../../platform/format/market.ts';
import { attentionCases } from './attention-cases.ts';
import { days, farmCases } from './farm-cases.ts';
import { PICK_DAY, PICK_DAYS } from './pick-world.ts';
import {
  adds,
  admin,
  at,
  becomes,
  type Case,
  changedAccount,
  consumer,
  farmer,
  id,
  member,
  message,
  note,
  notification,
  order,
  orderId,
  person,
  picked,
  place,
  product,
  productId,
  removes,
  replaces,
  report,
  slot,
  type World,
} from './world.ts';

export const accepted = order(1, { status: 'accepted', version: 2 });
// Its only size that is on is more than its stock, so it counts as sold out.
const sack = { _id: id(1300), label: 'Sack', content: 50, price: 1, isActive: true };
export const cheaper = product(1, {
  price: 1,
  sizes: [sack, { ...sack, _id: id(1301), label: 'Bag', content: 1, isActive: false }],
  version: 2,
});
/** What an admin hid. */
const hidden = product(1, { isActive: false, hiddenReason: 'Not from this farm.', version: 2 });
const HIDING = { name: hidden.name, reason: 'Not from this farm.' };
export const newcomer: User = { ...consumer, _id: id(90), name: 'New Comer', createdAt: at(50) };

const pickDay = { date: PICK_DAY, place: null };
const tick: PickTick = {
  date: PICK_DAY,
  productId: productId(1),
  unit: 'lb',
  isByPiece: false,
  quantity: 2,
  version: 1,
  by: person(farmer),
  at: at(40),
};
const print: PickPrint = { _id: id(1101), number: 2, at: at(41), by: person(farmer) };

const picks = (change: Partial<World['pick']>) => (world: World) => ({
  ...world,
  pick: { ...world.pick, ...change },
});

/** One case for every event of the log; an event without one does not compile. */
export const cases: { [Name in LoggedEventName]: Case<Name> } = {
  ...attentionCases,
  'import.progressed': {
    me: farmer,
    shows: [importQuery(id(1300))],
    data: {
      ...{ _id: id(1300), state: 'applying', done: 1, total: 2, version: 2 },
      rows: [{ line: 2, result: 'written' }],
    },
    happens: (world) => {
      const [first, ...others] = world.productImport.rows as [ImportRow, ...ImportRow[]];
      return {
        ...world,
        productImport: {
          ...world.productImport,
          ...{ state: 'applying', done: 1, version: 2 },
          rows: [{ ...first, result: 'written' }, ...others],
        },
      };
    },
  },
  'user.suspensionChanged': {
    me: admin,
    shows: [usersQuery(), usersQuery({ state: 'suspended' })],
    data: { _id: consumer._id, isSuspended: true },
    happens: replaces('users', { ...consumer, isSuspended: true }),
  },
  'user.noteAdded': {
    me: admin,
    shows: [userNotesQuery(farmer._id)],
    data: { _id: note(2)._id, user: farmer._id },
    happens: adds('notes', note(2)),
  },
  'report.changed': {
    me: admin,
    shows: [reportsQuery(), adminStatsQuery()],
    data: { _id: report(2)._id },
    happens: adds('reports', report(2)),
  },
  'order.noteAdded': {
    me: admin,
    shows: [notesQuery(orderId(1))],
    data: { _id: note(2)._id, order: orderId(1) },
    happens: adds('notes', note(2)),
  },
  'order.created': {
    me: farmer,
    shows: [
      ordersQuery('received'),
      ordersQuery('received', { status: 'accepted' }),
      ordersQuery('receivedBySlot', { firstDay: '2026-11-28' }),
      waitingOrdersQuery(),
      pendingCountQuery(),
      farmerStatsQuery(),
      slotOrdersQuery(slot(1)._id),
      picklistQuery(pickDay),
      pickDaysQuery(...PICK_DAYS),
    ],
    data: picked(7, 4, { status: 'pending', version: 1 }),
    happens: adds('orders', picked(7, 4, { status: 'pending', version: 1 })),
  },
  'order.updated': {
    me: consumer,
    shows: [
      ordersQuery('mine'),
      ordersQuery('mine', { status: 'pending' }),
      ordersQuery('mine', { openChange: 'true' }),
      pendingCountQuery(),
      orderQuery(orderId(1)),
    ],
    data: { ...accepted, change: { kind: 'status', from: 'pending', to: 'accepted' } },
    happens: replaces('orders', accepted),
  },
  'pick.ticked': {
    me: farmer,
    shows: [picklistQuery(pickDay)],
    data: { ...tick, farmId: farmer._id },
    happens: picks({ ticks: [tick] }),
  },
  'picklist.printed': {
    me: farmer,
    shows: [picklistQuery(pickDay)],
    data: { ...print, date: PICK_DAY, farmId: farmer._id, orderCount: 1, versionSum: 2 },
    happens: picks({ print, printed: { [id(1002)]: 3 } }),
  },
  'picklist.seen': {
    me: farmer,
    shows: [picklistQuery(pickDay)],
    data: {
      date: PICK_DAY,
      farmId: farmer._id,
      changes: [{ orderId: orderId(2), sequence: 0 }],
      by: person(farmer),
      at: at(45),
    },
    happens: picks({
      seen: { [orderId(2)]: { sequence: 0, by: person(farmer), at: at(45) } },
    }),
  },
  'order.unanswered': {
    me: admin,
    shows: [ordersQuery('all'), adminStatsQuery()],
    data: order(1),
    happens: (world) => world,
  },
  'message.created': {
    me: farmer,
    shows: [threadQuery(consumer._id), conversationsQuery(), farmerStatsQuery()],
    data: message(8, consumer, farmer),
    happens: adds('messages', message(8, consumer, farmer)),
  },
  'messages.read': {
    me: farmer,
    shows: [threadQuery(consumer._id), conversationsQuery(), farmerStatsQuery()],
    data: { reader: farmer._id, sender: consumer._id, at: at(30) },
    happens: (world) => ({
      ...world,
      messages: world.messages.map((item) =>
        item.receiver._id === farmer._id ? { ...item, isRead: true } : item,
      ),
    }),
  },
  'product.created': {
    me: farmer,
    shows: [
      ...[
        productsQuery(),
        productsQuery({ search: 'Product' }, 'relevance'),
        productFacetsQuery({}),
      ],
      ...[ownProductsQuery(farmer._id), farmersQuery(), farmerStatsQuery(), followsQuery()],
    ],
    data: product(5),
    happens: adds('products', product(5)),
  },
  'product.updated': {
    me: farmer,
    shows: [
      ...[productsQuery(), productsQuery({ maxPrice: 1.5 }), productsQuery({ inStock: 'true' })],
      productsQuery({ search: 'Product' }, 'relevance'),
      productFacetsQuery({ inStock: 'true' }),
      ...[productQuery(productId(1)), ownProductsQuery(farmer._id), followsQuery()],
    ],
    data: cheaper,
    happens: replaces('products', cheaper),
  },
  'product.deleted': {
    me: farmer,
    shows: [
      ...[productsQuery(), productFacetsQuery({}), ownProductsQuery(farmer._id), farmersQuery()],
      followsQuery(),
    ],
    data: { _id: productId(1) },
    happens: removes('products', productId(1)),
  },
  'product.hidingChanged': {
    me: admin,
    shows: [personProductsQuery(farmer._id)],
    data: { ...HIDING, _id: productId(1), farmer: farmer._id, version: 2 },
    happens: replaces('products', hidden),
  },
  'account.changed': {
    me: consumer,
    shows: [
      ...[addressesQuery(), preferencesQuery(), phoneQuery()],
      ...[stockAlertQuery(productId(1)), followsQuery()],
    ],
    data: { _id: consumer._id },
    happens: becomes(changedAccount),
  },
  'member.changed': {
    me: farmer,
    shows: [membersQuery()],
    data: { _id: member(2, null)._id },
    happens: adds('members', member(2, null)),
  },
  'place.changed': {
    me: farmer,
    shows: [placesQuery(), farmSlotsQuery(days), offeredSlotsQuery(farmer._id, days)],
    data: { _id: place(1)._id, farmId: farmer._id },
    happens: (world) => ({
      ...world,
      places: [place(1, { name: 'The red gate', version: 2 })],
      slots: [...world.slots, slot(3)],
    }),
  },
  'slot.updated': {
    me: farmer,
    shows: [
      farmSlotsQuery(days),
      offeredSlotsQuery(farmer._id, days),
      slotOrdersQuery(slot(1)._id),
    ],
    data: {
      _id: slot(1)._id,
      farmId: farmer._id,
      hasLimit: true,
      remaining: 2,
      state: 'open',
      taken: 2,
      capacity: 4,
    },
    happens: replaces('slots', slot(1, { taken: 2 })),
  },
  'order.moveSeen': {
    me: farmer,
    shows: [slotOrdersQuery(slot(1)._id)],
    data: { _id: order(1)._id },
    happens: becomes({ isMoveSeen: true }),
  },
  'category.changed': {
    me: admin,
    shows: [categoriesQuery(), adminStatsQuery()],
    data: { _id: id(2) },
    happens: adds('categories', { _id: id(2), name: 'Seeds', description: 'To sow', icon: '' }),
  },
  'market.updated': {
    me: farmer,
    shows: [marketQuery()],
    data: { ...DEFAULT_MARKET, name: 'Hill Market', version: 2 },
    happens: becomes({ market: { ...DEFAULT_MARKET, name: 'Hill Market', version: 2 } }),
  },
  'notification.created': {
    me: farmer,
    shows: [notificationsQuery()],
    data: notification(6),
    happens: adds('notifications', notification(6)),
  },
  'notifications.read': {
    me: farmer,
    shows: [notificationsQuery()],
    data: { ids: [id(2)], unreadCount: 0 },
    happens: (world) => ({
      ...world,
      notifications: world.notifications.map((item) => ({ ...item, isRead: true })),
    }),
  },
  ...farmCases,
  'user.created': {
    me: admin,
    shows: [usersQuery(), usersQuery({ role: 'consumer' }), adminStatsQuery()],
    data: newcomer,
    happens: adds('users', newcomer),
  },
  'user.deleted': {
    me: admin,
    shows: [usersQuery(), adminStatsQuery()],
    data: { _id: consumer._id },
    happens: removes('users', consumer._id),
  },
};

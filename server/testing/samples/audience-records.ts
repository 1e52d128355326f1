import { randomUUID } from 'node:crypto';
import type { EventData, LoggedEventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import { pauseByItself } from '../../farm/pause/service.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { type Answer, type Caller, orderInput, productInput, type TestMarket } from '../market.ts';
import { productFile, uploadProducts } from '../product-file.ts';
import { makeSlot } from '../slots.ts';
import { hire } from '../staff.ts';
import { newAlert } from './attention-samples.ts';

/**
 * Who may receive an event: visitors, one of whom watches the product and the farm, and people of the market; of a farm
 * its founder and one of each other role.
 */
export const PARTIES = [
  'visitor',
  'watcher',
  'consumer',
  'farmer',
  'manager',
  'packer',
  'seller',
  'otherConsumer',
  'otherFarmer',
  'admin',
] as const;
export type Party = (typeof PARTIES)[number];

/** A read that shows what an event shows: any of these paths, with this text in its answer. */
interface Read {
  paths: readonly string[];
  shows?: string;
}

const read = (path: string, shows?: string | null): Read => ({
  paths: [path],
  ...(shows ? { shows } : {}),
});
const listed = (path: string, _id: string) =>
  read(`${path}${path.includes('?') ? '&' : '?'}limit=200`, _id);
const thread = (one: string, other: string, shows: string): Read => ({
  paths: [`/messages/${one}`, `/messages/${other}`],
  shows,
});
const product = (data: { _id: string; isActive?: boolean; name?: string }) =>
  // To whom it is hidden it says no more than that.
  data.name === undefined ? undefined : read(`/products/${data._id}`, data._id);
/** It says that something is gone, or that there is news of the reader's own. */
const nothing = () => undefined;

/** What anyone who receives an event reads by REST; a new event without it does not compile. */
const READS: {
  [Name in LoggedEventName]: (data: EventData<Name>) => Read | undefined;
} = {
  'order.created': ({ _id }) => read(`/orders/${_id}`, _id),
  'order.updated': ({ _id }) => read(`/orders/${_id}`, _id),
  'order.unanswered': ({ _id }) => read(`/orders/${_id}`, _id),
  'order.noteAdded': ({ order, _id }) => read(`/admin/orders/${order}/notes`, _id),
  'attention.changed': ({ _id, state }) =>
    state === 'resolved' ? undefined : read('/attention', _id),
  'attention.tried': nothing,
  'order.moveSeen': ({ _id }) => read(`/orders/${_id}`, _id),
  'pick.ticked': ({ date, productId }) => read(`/farm/picklist?date=${date}`, productId),
  'picklist.printed': ({ _id, date }) => read(`/farm/picklist?date=${date}`, _id),
  'picklist.seen': ({ date }) => read(`/farm/picklist?date=${date}`, date),
  'member.changed': ({ _id }) => read('/farm/members', _id),
  'place.changed': ({ farmId }) => read(`/users/farmers/${farmId}/slots`),
  'slot.updated': ({ farmId }) => read(`/users/farmers/${farmId}/slots`),
  'message.created': ({ _id, sender, receiver }) => thread(sender._id, receiver._id, _id),
  'messages.read': ({ sender, reader }) => thread(sender, reader, sender),
  'product.created': product,
  'product.updated': product,
  'product.deleted': nothing,
  'import.progressed': ({ _id }) => read(`/farm/products/imports/${_id}`, _id),
  'product.hidingChanged': ({ _id, reason }) => read(`/products/${_id}`, reason),
  'category.changed': ({ _id }) => listed('/categories', _id),
  'market.updated': ({ name }) => read('/market', name),
  'farmer.updated': ({ _id }) => read(`/users/farmers/${_id}`, _id),
  'farmer.deleted': nothing,
  'farmer.listingChanged': nothing,
  'farm.approvalChanged': ({ state }) => ({
    paths: ['/farm/opening', '/admin/farms?state=approved&limit=200'],
    shows: state,
  }),
  'farm.paused': () => ({ paths: ['/farm/pause', '/admin/feed'] }),
  'user.suspensionChanged': ({ _id }) => read(`/admin/users/${_id}`, _id),
  'user.noteAdded': ({ user, _id }) => read(`/admin/users/${user}/notes`, _id),
  'report.changed': ({ _id }) => listed('/admin/reports', _id),
  'notification.created': ({ _id }) => listed('/notifications', _id),
  'notifications.read': nothing,
  'user.created': ({ _id }) => listed('/users', _id),
  'user.deleted': nothing,
  'account.changed': ({ _id }) => read('/auth/me', _id),
};

/** Returns whether somebody reads by REST what an event has shown them. */
export async function readsSame(
  market: TestMarket,
  as: Caller | undefined,
  { name, data }: Pick<Envelope, 'name' | 'data'>,
): Promise<boolean> {
  const toRead = READS[name as LoggedEventName] as (data: unknown) => Read | undefined;
  const found = toRead(data);
  if (!found) return true;
  for (const path of found.paths) {
    const { status, body } = await market.call('GET', path, { as });
    if (status === 200 && JSON.stringify(body).includes(found.shows ?? '')) return true;
  }
  return false;
}

/**
 * Returns the people of the tests of audiences, and what makes the records that events are about. Await `prepare`
 * before any of it is used.
 */
export function createAudienceRecords(market: TestMarket) {
  const own = {} as Record<Exclude<Party, 'visitor' | 'watcher'>, Caller>;
  /** A category, the watched product, and a hidden one. */
  const ids = { category: '', product: '', hidden: '' };

  const { post, put, delete: remove } = market;

  /** Lets a file of products be written. */
  const applyImport = async () => {
    const file = productFile([{ id: await newProduct(), price: 3.5 }]);
    const { body } = await uploadProducts(market.url, own.farmer, file);
    return post(`/farm/products/imports/${body.data._id}/apply`, own.farmer, {});
  };
  const newProduct = async (over: Record<string, unknown> = {}): Promise<string> =>
    (await post('/products', own.farmer, productInput(ids.category, over))).body.data._id;

  /** Once the farm has slots, an order needs one. */
  const newOrder = async () =>
    post(
      '/orders',
      own.consumer,
      orderInput(own.farmer.id, [{ product: ids.product, quantity: 1 }], {
        pickupDetails: { slotId: await makeSlot(market, own.farmer) },
      }),
    );

  /** Somebody is on what asks about a new order. */
  async function takeAlert() {
    const order: string = (await newOrder()).body.data._id;
    return post('/attention/ack', own.farmer, { ids: [await newAlert(market, own.farmer, order)] });
  }

  /** An order whose move by the farm its consumer was notified of, as a worker writes it. @returns its id */
  async function movedOrder(): Promise<string> {
    const _id: string = (await newOrder()).body.data._id;
    const text = { title: 'Your pickup was moved', body: 'Hail.', link: `/orders/${_id}` };
    await market.platform.db.notification.create({
      data: {
        userId: own.consumer.id,
        kind: 'order.slotMoved',
        key: `order.slotMoved:${_id}:2`,
        ...text,
      },
    });
    return _id;
  }

  /** Approves the farm, which was a draft. */
  async function approve(): Promise<Answer> {
    const data = { approvedAt: null };
    await market.platform.db.farmerProfile.update({ where: { userId: own.farmer.id }, data });
    return put(`/users/farmers/${own.farmer.id}/approval`, own.admin, { approved: true });
  }

  /** Pauses the farm as the market does by itself, and lets it take orders again, which other records need. */
  async function pausedForAMoment(): Promise<Answer> {
    await transact(market.platform.db, (tx) => pauseByItself(tx, own.farmer.id));
    return remove('/farm/pause', own.farmer);
  }

  /** An order, and the day of its pick list. */
  async function pickedOrder(): Promise<{ orderId: string; date: string }> {
    const { body } = await newOrder();
    return { orderId: body.data._id, date: body.data.pickupDetails.date };
  }

  async function prepare(): Promise<void> {
    own.consumer = await market.join('consumer');
    own.farmer = await market.join('farmer');
    for (const role of ['manager', 'packer', 'seller'] as const) {
      own[role] = await hire(market, own.farmer, role);
    }
    own.otherConsumer = await market.join('consumer');
    own.otherFarmer = await market.join('farmer');
    own.admin = await market.join('admin');
    ids.category = (await post('/categories', own.admin, { name: randomUUID() })).body.data._id;
    ids.product = await newProduct();
    ids.hidden = await newProduct({ isActive: false });
  }

  return {
    own,
    ids,
    prepare,
    post,
    put,
    remove,
    approve,
    pausedForAMoment,
    movedOrder,
    takeAlert,
    tryAlert: () => post('/farm/escalation/test', own.farmer, {}),
    newOrder,
    applyImport,
    newProduct,
    pickedOrder,
  };
}

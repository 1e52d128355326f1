import { randomUUID } from 'node:crypto';
import { type Answer, type Caller, orderInput, productInput, type TestMarket } from './market.ts';
import { makeSlot } from './slots.ts';

/** Who may receive an event: visitors, one of whom watches the product and the farm, and people of the market. */
export const PARTIES = [
  'visitor',
  'watcher',
  'consumer',
  'farmer',
  'otherConsumer',
  'otherFarmer',
  'admin',
] as const;
export type Party = (typeof PARTIES)[number];

/**
 * Returns the people of the tests of audiences, and what makes the records that events are about. Await `prepare` before
 * any of it is used.
 */
export function createAudienceRecords(market: TestMarket) {
  const own = {} as Record<Exclude<Party, 'visitor' | 'watcher'>, Caller>;
  /** A category, the watched product, and a hidden one. */
  const ids = { category: '', product: '', hidden: '' };

  const post = (path: string, as: Caller | undefined, body: unknown) =>
    market.call('POST', path, { as, body });
  const put = (path: string, as: Caller, body: unknown) => market.call('PUT', path, { as, body });
  const remove = (path: string, as: Caller) => market.call('DELETE', path, { as });

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

  /** An order whose move by the farm its buyer was notified of, as a worker writes it. @returns its id */
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

  /** An order, and the day of its pick list. */
  async function pickedOrder(): Promise<{ orderId: string; date: string }> {
    const { body } = await newOrder();
    return { orderId: body.data._id, date: body.data.pickupDetails.date };
  }

  async function prepare(): Promise<void> {
    own.consumer = await market.join('consumer');
    own.farmer = await market.join('farmer');
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
    movedOrder,
    newOrder,
    newProduct,
    pickedOrder,
  };
}

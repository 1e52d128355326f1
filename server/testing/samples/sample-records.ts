import { randomBytes, randomUUID } from 'node:crypto';
import { ROLES } from '#contract/platform/http/constants';
import type { Role } from '#contract/platform/http/http';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { type Caller, makeCategory, orderInput, productInput, type TestMarket } from '../market.ts';
import { productFile, uploadProducts } from '../product-file.ts';
import { placeInput } from '../slots.ts';
import { linkTo } from '../staff.ts';

/**
 * Returns the people who make the sample calls, and what makes the records that the calls are about. Await `prepare`
 * before any of it is used.
 */
export function createSampleRecords(market: TestMarket) {
  const own = {} as Record<Role, Caller>;
  const strangers = {} as Record<Role, Caller>;
  /** A category, a product and a product that is sold by weight, which most calls are about. */
  const ids = { category: '', product: '', weighed: '' };

  const account = () => ({
    name: 'Somebody',
    email: `${randomBytes(8).toString('hex')}@farmgate.test`,
    password: 'password123',
  });

  async function newProduct(over: Record<string, unknown> = {}): Promise<string> {
    // Each sample of an order takes some.
    const body = productInput(ids.category, { quantityAvailable: 10_000, ...over });
    return (await market.call('POST', '/products', { as: own.farmer, body })).body.data._id;
  }

  /** The id of a file of products that was compared and not written. */
  async function newImport(): Promise<string> {
    // One that no worker writes would outdate it.
    await market.platform.db.productImport.deleteMany({ where: { farmId: own.farmer.id } });
    const file = productFile([{ id: await newProduct(), price: 3.5 }]);
    return (await uploadProducts(market.url, own.farmer, file)).body.data._id;
  }

  /** Places an order with the farm, which another sample may have paused. */
  async function place(items: Parameters<typeof orderInput>[1]) {
    await market.call('DELETE', '/farm/pause', { as: own.farmer });
    const body = orderInput(own.farmer.id, items);
    return (await market.call('POST', '/orders', { as: own.consumer, body })).body.data;
  }

  async function newOrder(
    of = ids.product,
    status: 'pending' | 'accepted' = 'pending',
  ): Promise<string> {
    const id: string = (await place([{ product: of, quantity: 1 }]))._id;
    if (status !== 'pending') {
      await market.call('PUT', `/orders/${id}`, { as: own.farmer, body: { status } });
    }
    return id;
  }

  /** The day on which a new order is picked up. */
  async function dayOfNewOrder(): Promise<string> {
    const { body } = await market.call('GET', `/orders/${await newOrder()}`, { as: own.farmer });
    return body.data.pickupDetails.date;
  }

  /** An order with two lines, one of which the farm proposes to take out. @returns its id and the proposal's */
  async function newProposal(): Promise<[string, string, string]> {
    const items = [
      { product: ids.product, quantity: 1 },
      { product: await newProduct(), quantity: 2 },
    ];
    const order = await place(items);
    const lineId: string = order.items[1]._id;
    const { body: made } = await market.call('POST', `/orders/${order._id}/changes`, {
      as: own.farmer,
      body: { items: [{ lineId, action: 'remove', reason: 'damaged' }] },
    });
    return [order._id, made.data.openChange._id, lineId];
  }

  /** The id of a shortage that is shared among no orders. */
  async function newShortage(): Promise<string> {
    const day = '2030-01-01';
    const productId = await newProduct();
    const body = {
      productId,
      from: day,
      to: day,
      available: 1,
      rule: 'fair',
      batchId: randomUUID(),
    };
    await market.call('POST', '/farm/shortages', { as: own.farmer, body });
    return body.batchId;
  }

  /** The id of an order's one line. */
  const lineOf = async (orderId: string): Promise<string> =>
    (await market.platform.db.orderLine.findFirstOrThrow({ where: { orderId } })).id;

  /** An order that was accepted, and its only line, which can be weighed. */
  async function orderToWeigh(): Promise<{ id: string; lineId: string }> {
    const id = await newOrder(ids.weighed);
    const body = { status: 'accepted' };
    const answer = await market.call('PUT', `/orders/${id}`, { as: own.farmer, body });
    return { id, lineId: answer.body.data.items[0]._id };
  }

  /** Invites somebody to the farm. @returns the link's token */
  async function invitation(): Promise<string> {
    const body = { email: account().email, role: 'packer' };
    const invited = await market.call('POST', '/farm/members', { as: own.farmer, body });
    return linkTo(market, invited.body.data._id);
  }

  /** Without hours, so that other orders of the farm need no slot. A farm has so many places at most. */
  async function placeWithoutHours() {
    const { place } = market.platform.db;
    await place.updateMany({ where: { farmId: own.farmer.id }, data: { removedAt: new Date() } });
    return placeInput({ hours: [] });
  }

  async function newPlace(): Promise<string> {
    const body = await placeWithoutHours();
    return (await market.call('POST', '/farm/places', { as: own.farmer, body })).body.data._id;
  }

  /** Two slots of a place of the farm. */
  async function newSlots(): Promise<[string, string]> {
    const placeId = await newPlace();
    const day = addDays(dayIn('UTC'), 20);
    const slot = (hour: number) => ({
      farmId: own.farmer.id,
      placeId,
      date: new Date(day),
      from: `${hour}:00`,
      to: `${hour + 1}:00`,
      startsAt: new Date(`${day}T${hour}:00:00Z`),
      endsAt: new Date(`${day}T${hour + 1}:00:00Z`),
    });
    const { slot: slots } = market.platform.db;
    const [one, two] = await Promise.all(
      [10, 11].map((hour) => slots.create({ data: slot(hour), select: { id: true } })),
    );
    return [one?.id ?? '', two?.id ?? ''];
  }

  /** Signs somebody in once more. @returns the session's id */
  async function otherSession(role: Role): Promise<string> {
    const { id } = own[role];
    const { db } = market.platform;
    const expiresAt = new Date(Date.now() + 60_000);
    return (await db.session.create({ data: { userId: id, expiresAt }, select: { id: true } })).id;
  }

  /** A report of a message that the consumer wrote to the farm. @returns its id */
  async function newReport(): Promise<string> {
    const message = { receiver: own.farmer.id, content: 'Read this.' };
    const sent = await market.call('POST', '/messages', { as: own.consumer, body: message });
    const body = { kind: 'message', id: sent.body.data._id, reason: 'spam' };
    return (await market.call('POST', '/reports', { as: own.farmer, body })).body.data._id;
  }

  /** Somebody whose address a mail server refused. */
  async function newUnreachable(): Promise<{ id: string }> {
    const { id } = await market.join('consumer');
    await market.platform.db.user.update({ where: { id }, data: { unreachableAt: new Date() } });
    return { id };
  }

  /** Adds an address of somebody. @returns its id */
  async function newAddress(party: Role | 'visitor'): Promise<string> {
    if (party === 'visitor') return randomUUID();
    const data = { userId: own[party].id, street: '2 Elm Street', city: 'Ashford' };
    const { userAddress } = market.platform.db;
    return (await userAddress.create({ data, select: { id: true } })).id;
  }

  const newCategory = () => makeCategory(market.platform, randomUUID());

  /** Makes the people, and what there is before their calls. */
  async function prepare(): Promise<void> {
    for (const role of ROLES) {
      own[role] = await market.join(role);
      strangers[role] = await market.join(role);
    }
    ids.category = await newCategory();
    ids.product = await newProduct();
    ids.weighed = await newProduct({ unit: 'kg' });
    // The owner's consumer and farmer know each other.
    await newOrder();
    const body = { receiver: own.farmer.id, content: 'Are the carrots sweet?' };
    await market.call('POST', '/messages', { as: own.consumer, body });
  }

  return {
    ids,
    own,
    strangers,
    prepare,
    account,
    dayOfNewOrder,
    invitation,
    lineOf,
    newAddress,
    newCategory,
    newOrder,
    newPlace,
    newImport,
    newProduct,
    newProposal,
    newReport,
    newShortage,
    newSlots,
    newUnreachable,
    orderToWeigh,
    otherSession,
    placeWithoutHours,
  };
}

import { randomBytes, randomUUID } from 'node:crypto';
import { ROLES, type Role } from '#contract/http';
import { hashSecretToken } from '../process/secret-token.ts';
import { type Caller, makeCategory, orderInput, productInput, type TestMarket } from './market.ts';
import type { Party, Sample } from './sample.ts';
import { placeInput } from './slots.ts';
import { hire, linkTo } from './staff.ts';
import { pictureForm } from './upload-picture.ts';

/** A day of the farm's pick list. */
const PICK_DAY = '2030-01-05';

/**
 * Returns one valid call of every endpoint, by `METHOD /path`, and the people who make them: those whose
 * records the calls are about, and strangers. Await `prepare` before any of them is made.
 */
export function createSamples(market: TestMarket) {
  const own = {} as Record<Role, Caller>;
  const strangers = {} as Record<Role, Caller>;
  let category: string;
  let product: string;
  /** A product that is sold by weight. */
  let weighed: string;

  const account = () => ({
    name: 'Somebody',
    email: `${randomBytes(8).toString('hex')}@farmgate.test`,
    password: 'password123',
  });

  async function newProduct(over: Record<string, unknown> = {}): Promise<string> {
    // Each sample of an order takes some.
    const body = productInput(category, { quantityAvailable: 10_000, ...over });
    return (await market.call('POST', '/products', { as: own.farmer, body })).body.data._id;
  }

  async function newOrder(
    of = product,
    status: 'pending' | 'accepted' = 'pending',
  ): Promise<string> {
    const body = orderInput(own.farmer.id, [{ product: of, quantity: 1 }]);
    const placed = await market.call('POST', '/orders', { as: own.consumer, body });
    const id: string = placed.body.data._id;
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
      { product, quantity: 1 },
      { product: await newProduct(), quantity: 2 },
    ];
    const body = orderInput(own.farmer.id, items);
    const order = (await market.call('POST', '/orders', { as: own.consumer, body })).body.data;
    const lineId: string = order.items[1]._id;
    const { body: made } = await market.call('POST', `/orders/${order._id}/changes`, {
      as: own.farmer,
      body: { items: [{ lineId, action: 'remove', reason: 'damaged' }] },
    });
    return [order._id, made.data.openChange._id, lineId];
  }

  /** The id of an order's one line. */
  const lineOf = async (orderId: string): Promise<string> =>
    (await market.platform.db.orderLine.findFirstOrThrow({ where: { orderId } })).id;

  /** An order that was accepted, and its only line, which can be weighed. */
  async function orderToWeigh(): Promise<{ id: string; lineId: string }> {
    const id = await newOrder(weighed);
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
    const slot = (hour: number) => ({
      farmId: own.farmer.id,
      placeId,
      date: new Date('2030-01-03'),
      from: `${hour}:00`,
      to: `${hour + 1}:00`,
      startsAt: new Date(`2030-01-03T${hour}:00:00Z`),
      endsAt: new Date(`2030-01-03T${hour + 1}:00:00Z`),
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

  const newCategory = () => makeCategory(market.platform, randomUUID());
  const otherParty = (party: Party) => (party === 'consumer' ? own.farmer.id : own.consumer.id);
  const push = {
    endpoint: 'https://push.test/somebody',
    keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
  };

  const samples: Record<string, Sample> = {
    'POST /auth/register': { input: () => ({ body: account() }) },
    'POST /auth/login': {
      input: () => ({ body: { email: own.consumer.email, password: 'password123' } }),
    },
    'GET /auth/me': {},
    'POST /auth/forgot-password': { input: () => ({ body: { email: own.consumer.email } }) },
    'POST /auth/reset-password': {
      input: async () => {
        const { id: userId } = await market.join('consumer');
        const token = randomUUID();
        const expiresAt = new Date(Date.now() + 60_000);
        const data = { userId, expiresAt, tokenHash: hashSecretToken(token) };
        await market.platform.db.passwordReset.create({ data });
        return { body: { token, password: 'brand new' } };
      },
    },

    'PUT /auth/password': {
      input: () => ({ body: { currentPassword: 'password123', newPassword: 'password123' } }),
    },
    'GET /auth/sessions': {},
    'DELETE /auth/sessions': {},
    'DELETE /auth/sessions/:id': {
      input: async (party) => ({
        id: party === 'visitor' ? randomUUID() : await otherSession(party),
      }),
      // Nobody knows of the sessions of others.
      stranger: { consumer: 404, farmer: 404, admin: 404 },
    },

    'GET /users/farmers': {},
    'GET /users/farmers/:id': { input: () => ({ id: own.farmer.id }) },
    'PUT /users/farmers/profile': {
      input: () => ({ body: { farmName: 'Green Valley', description: 'Good soil.' } }),
    },

    'GET /users/farmers/:id/days': { input: () => ({ id: own.farmer.id }) },

    'GET /farm/schedule': {},
    'PUT /farm/schedule': {
      input: () => ({
        body: {
          mode: 'notice', // For tomorrow, the day of the samples' orders, it is always ahead.
          cutoff: { daysBefore: 0, time: '23:59' },
          atCutoff: 'accept',
        },
      }),
    },

    'GET /farm': {},
    'GET /farm/calendar': {},
    'POST /farm/calendar': {},
    'DELETE /farm/calendar': {},
    'GET /farm/members': {},
    'POST /farm/members': { input: () => ({ body: { email: account().email, role: 'packer' } }) },
    'PUT /farm/members/:id': {
      input: async () => ({
        id: (await hire(market, own.farmer, 'packer')).memberId,
        body: { role: 'seller' },
      }),
      members: { manager: 403, packer: 403, seller: 403 },
      stranger: { farmer: 404 },
    },
    'DELETE /farm/members/:id': {
      input: async () => ({ id: (await hire(market, own.farmer, 'packer')).memberId }),
      members: { manager: 403, packer: 403, seller: 403 },
      stranger: { farmer: 404 },
    },
    'GET /invites/:token': { input: async () => ({ id: await invitation() }) },
    'POST /invites/:token/accept': {
      input: async () => ({
        id: await invitation(),
        body: { name: 'Somebody', password: 'password123' },
      }),
      // Only visitors open an account, and the farmer works for a farm already.
      refused: { consumer: 403, farmer: 409, admin: 403 },
    },

    'GET /farm/places': {},
    'POST /farm/places': { input: async () => ({ body: await placeWithoutHours() }) },
    'PUT /farm/places/:id': {
      input: async () => ({ id: await newPlace(), body: { directions: 'Ring the bell.' } }),
      stranger: { farmer: 404 },
    },
    'DELETE /farm/places/:id': {
      input: async () => ({ id: await newPlace() }),
      stranger: { farmer: 404 },
    },
    'GET /users/farmers/:id/slots': { input: () => ({ id: own.farmer.id }) },
    'GET /farm/slots': {},
    'GET /farm/slots/:id/orders': {
      input: async () => ({ id: (await newSlots())[0] }),
      stranger: { farmer: 404 },
    },
    'PUT /farm/slots/:id': {
      input: async () => ({ id: (await newSlots())[0], body: { state: 'closed' } }),
      stranger: { farmer: 404 },
    },
    'POST /farm/slots/move-day': {
      input: () => ({ body: { date: '2030-01-01', toDate: '2030-01-02' } }),
    },
    'POST /farm/slots/:id/move': {
      input: async () => {
        const [id, toSlotId] = await newSlots();
        return { id, body: { toSlotId } };
      },
      stranger: { farmer: 404 },
    },
    'PUT /orders/:id/slot': {
      input: async () => ({ id: await newOrder(), body: { slotId: (await newSlots())[0] } }),
      stranger: { consumer: 404, farmer: 404 },
    },

    'GET /farm/picklist': { input: () => ({ query: `date=${PICK_DAY}` }) },
    'GET /farm/picklist/orders': { input: () => ({ query: `date=${PICK_DAY}` }) },
    'GET /farm/picklist/days': {},
    'POST /farm/picklist/prints': { input: () => ({ body: { date: PICK_DAY } }) },
    'GET /farm/picklist/prints/:id': {
      input: async () => {
        const body = { date: PICK_DAY };
        const print = await market.call('POST', '/farm/picklist/prints', { as: own.farmer, body });
        return { id: print.body.data._id };
      },
      stranger: { farmer: 404 },
    },
    'PUT /farm/picklist/ticks': {
      input: async () => ({
        body: { date: await dayOfNewOrder(), productId: product, unit: 'bunch', quantity: 1 },
      }),
      stranger: { farmer: 404 },
    },
    'PUT /farm/picklist/seen': {
      input: async () => ({
        body: { date: PICK_DAY, changes: [{ orderId: await newOrder(), sequence: 1 }] },
      }),
    },
    'PUT /orders/:id/packing': {
      input: async () => ({
        id: await newOrder(product, 'accepted'),
        body: { packing: 'packed', crates: 2 },
      }),
      stranger: { farmer: 404 },
    },

    'PUT /users/profile': { input: () => ({ body: { name: 'Somebody' } }) },
    'GET /users': {},
    'DELETE /users/:id': { input: async () => ({ id: (await market.join('consumer')).id }) },

    'POST /client-errors': { input: () => ({ body: { message: 'It broke.' } }) },

    'GET /categories': {},
    'GET /market': {},
    'POST /categories': { input: () => ({ body: { name: randomUUID() } }) },
    'PUT /categories/:id': {
      input: async () => ({ id: await newCategory(), body: { name: randomUUID() } }),
    },
    'DELETE /categories/:id': { input: async () => ({ id: await newCategory() }) },

    'GET /products': {},
    'GET /products/facets': {},
    'GET /products/farmer/me': {},
    'GET /products/:id': { input: () => ({ id: product }) },
    'POST /products': { input: () => ({ body: productInput(category) }) },
    'PUT /products/:id': {
      input: () => ({ id: product, body: { name: 'Best carrots' } }),
      stranger: { farmer: 403 },
    },
    'PUT /products/stock': { input: () => ({ body: { changes: [{ product, price: 3 }] } }) },
    'DELETE /products/:id': {
      input: async () => ({ id: await newProduct() }),
      stranger: { farmer: 403 },
    },
    'PUT /products/:id/hiding': {
      input: async () => ({ id: await newProduct(), body: { hidden: true, reason: 'A mistake.' } }),
    },

    'POST /orders': {
      input: () => ({ body: orderInput(own.farmer.id, [{ product, quantity: 1 }]) }),
    },
    'GET /orders/consumer': {},
    'GET /orders/farmer': {},
    'GET /orders/stats/farmer': {},
    'GET /orders/stats/farmer/pending': {},
    'GET /orders': {},
    'GET /orders/:id': {
      input: async () => ({ id: await newOrder() }),
      stranger: { consumer: 404, farmer: 404 },
    },
    'GET /orders/:id/calendar': {
      input: async () => ({ id: await newOrder() }),
      stranger: { consumer: 404, farmer: 404 },
    },
    'POST /orders/:id/again': {
      input: async () => ({ id: await newOrder() }),
      stranger: { consumer: 404 },
    },
    'PUT /orders/status': {
      input: async () => ({ body: { ids: [await newOrder()], status: 'accepted' } }),
    },
    'PUT /orders/:id': {
      input: async (party) => ({
        id: await newOrder(),
        body: { status: party === 'consumer' ? 'cancelled' : 'accepted' },
      }),
      members: { packer: 403, seller: 403 },
      stranger: { consumer: 404, farmer: 404 },
    },

    'GET /orders/wishes': { input: () => ({ query: `products=${product}` }) },
    'POST /orders/:id/changes': {
      input: async () => {
        const id = await newOrder();
        const item = { lineId: await lineOf(id), action: 'remove', reason: 'damaged' };
        return { id, body: { items: [item] } };
      },
      stranger: { farmer: 404 },
    },
    'PUT /orders/:id/changes/:changeId/answer': {
      input: async () => {
        const [id, changeId, lineId] = await newProposal();
        return { id: [id, changeId], body: { items: [{ lineId, answer: 'accept' }] } };
      },
      stranger: { consumer: 404 },
    },
    'DELETE /orders/:id/changes/:changeId': {
      input: async () => ({ id: (await newProposal()).slice(0, 2) }),
      stranger: { farmer: 404 },
    },
    'PUT /orders/:id/lines/:lineId/preference': {
      input: async () => {
        const id = await newOrder();
        return { id: [id, await lineOf(id)], body: { onShort: 'leave_out' } };
      },
      stranger: { consumer: 404 },
    },
    'PUT /orders/:id/items': {
      input: async () => ({
        id: await newOrder(),
        body: { items: [{ product, quantity: 3 }] },
      }),
      stranger: { consumer: 404 },
    },
    'POST /farm/shortages': {
      input: async () => ({
        body: {
          productId: await newProduct(),
          from: '2030-01-01',
          to: '2030-01-01',
          available: 1,
          rule: 'fair',
        },
      }),
    },
    'PUT /orders/:id/lines/:lineId/weight': {
      input: async () => {
        const { id, lineId } = await orderToWeigh();
        return { id: [id, lineId], body: { packed: 1.05 } };
      },
      stranger: { farmer: 404 },
    },
    'PUT /farm/weights': {
      input: async () => {
        const { id, lineId } = await orderToWeigh();
        return { body: { items: [{ orderId: id, lineId, pieces: [0.6, 0.45] }] } };
      },
    },

    'POST /messages': {
      input: (party) => ({ body: { receiver: otherParty(party), content: 'Hello' } }),
      stranger: { consumer: 201, farmer: 404 },
    },
    'GET /messages': {},
    // A consumer may write to any farmer, and so open a thread that is still empty.
    'GET /messages/:userId': {
      input: (party) => ({ id: otherParty(party) }),
      stranger: { consumer: 200, farmer: 404 },
    },
    'PUT /messages/read/:userId': {
      input: (party) => ({ id: otherParty(party) }),
      stranger: { consumer: 200, farmer: 404 },
    },

    'GET /notifications': {},
    'PUT /notifications/read': { input: () => ({ body: {} }) },
    'GET /notifications/preferences': {},
    'PUT /notifications/preferences': { input: () => ({ body: {} }) },
    'GET /notifications/push-key': {},
    'POST /notifications/push-subscriptions': { input: () => ({ body: push }) },
    'DELETE /notifications/push-subscriptions': {
      input: () => ({ body: { endpoint: push.endpoint } }),
    },

    'POST /uploads': {
      input: async () => ({ form: await pictureForm() }),
    },

    'POST /admin/queues-session': {},
    'GET /admin/stats': {},
    'GET /admin/feed': {},
    'GET /admin/audit': {},
    'GET /admin/orders/:id/notes': { input: async () => ({ id: await newOrder() }) },
    'POST /admin/orders/:id/notes': {
      input: async () => ({ id: await newOrder(), body: { content: 'They called.' } }),
    },
    'GET /admin/orders/:id/messages': { input: async () => ({ id: await newOrder() }) },
    'GET /admin/users/:id': { input: () => ({ id: own.farmer.id }) },
    'GET /admin/users/:id/orders': { input: () => ({ id: own.consumer.id }) },
    'GET /admin/users/:id/products': { input: () => ({ id: own.farmer.id }) },
    'GET /admin/exports/orders': {},
    'GET /admin/exports/users': {},
    'GET /admin/exports/audit': {},
  };

  /** Makes the people, and what there is before their calls. */
  async function prepare(): Promise<void> {
    for (const role of ROLES) {
      own[role] = await market.join(role);
      strangers[role] = await market.join(role);
    }
    category = await newCategory();
    product = await newProduct();
    weighed = await newProduct({ unit: 'kg' });
    // The owner's consumer and farmer know each other.
    await newOrder();
    const body = { receiver: own.farmer.id, content: 'Are the carrots sweet?' };
    await market.call('POST', '/messages', { as: own.consumer, body });
  }

  return { samples, own, strangers, prepare };
}

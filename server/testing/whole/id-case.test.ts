import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { room } from '#contract/platform/events/constants';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { until } from '../../../testing/until.ts';
import {
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
  type TestSocket,
} from '../market.ts';

const market = closeAfter(await startTestMarket());
const [farmer, consumer, admin] = await Promise.all([
  market.join('farmer'),
  market.join('consumer'),
  market.join('admin'),
]);
const category = await makeCategory(market.platform);

/** As some clients write it. */
const upper = (id: string) => id.toUpperCase();

async function makeProduct(over: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await market.post('/products', farmer, productInput(category, over));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data._id;
}

const stockOf = async (id: string) =>
  fromMilli((await market.platform.db.product.findUniqueOrThrow({ where: { id } })).stockMilli);

const place = (items: { product: string; quantity: number }[], sells = farmer.id) =>
  market.post('/orders', consumer, orderInput(sells, items));

describe('an order', () => {
  it('rejects a product listed twice in different case, and takes no stock', async () => {
    const product = await makeProduct({ price: 1 });
    const answer = await place([
      { product, quantity: 10 },
      { product: upper(product), quantity: 400 },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('List each product only once.');
    expect(await stockOf(product)).toBe(50);
  });

  it('can be placed, read and changed with ids in upper case', async () => {
    const product = await makeProduct({ price: 1 });
    const placed = await place([{ product: upper(product), quantity: 10 }], upper(farmer.id));
    expect(placed.status).toBe(201);
    expect(placed.body.data).toMatchObject({
      totalAmount: 10,
      farmer: { _id: farmer.id },
      items: [{ product: { _id: product }, quantity: 10 }],
    });
    expect(await stockOf(product)).toBe(40);
    const { _id } = placed.body.data;
    const read = await market.get(`/orders/${upper(_id)}`, consumer);
    expect(read.body.data).toEqual(placed.body.data);
    const moved = await market.put(`/orders/${upper(_id)}`, farmer, { status: 'rejected' });
    expect(moved.body.data).toMatchObject({ _id, status: 'rejected' });
    expect(await stockOf(product)).toBe(50);
  });

  it('is found by admins by the start of its id in any case', async () => {
    const placed = await place([{ product: await makeProduct(), quantity: 1 }]);
    const { _id } = placed.body.data;
    const found = await market.get(`/orders?search=${upper(_id).slice(0, 8)}`, admin);
    expect(found.body.data.map((order: { _id: string }) => order._id)).toContain(_id);
  });
});

describe('a product under its id in upper case', () => {
  /** What a visitor is answered, from the response cache where it has an answer. */
  const seen = (id: string) => market.get(`/products/${id}`);

  async function watch(id: string): Promise<{ socket: TestSocket; names: string[] }> {
    const socket = await market.connect({ token: consumer.token });
    const names: string[] = [];
    const note = (envelope: { name: string; data: { _id: string } }) => {
      if (envelope.data._id === id) names.push(envelope.name);
    };
    socket.on('product.updated', note);
    socket.on('product.deleted', note);
    await new Promise((resolve) => {
      socket.emit('products.watch', { productIds: [upper(id)] }, resolve);
    });
    return { socket, names };
  }

  it('invalidates the response cache and notifies watchers when it is changed', async () => {
    const id = await makeProduct();
    const { names } = await watch(id);
    for (const spelling of [id, upper(id)])
      expect((await seen(spelling)).body.data.price).toBe(2.5);
    const changed = await market.put(`/products/${upper(id)}`, farmer, { price: 3 });
    expect(changed.body.data._id).toBe(id);
    for (const spelling of [id, upper(id)]) expect((await seen(spelling)).body.data.price).toBe(3);
    await until(() => names.includes('product.updated'));
  });

  it('invalidates the response cache and notifies watchers when it is hidden', async () => {
    const id = await makeProduct();
    const { names } = await watch(id);
    for (const spelling of [id, upper(id)]) expect((await seen(spelling)).status).toBe(200);
    await market.put(`/products/${upper(id)}`, farmer, { isActive: false });
    for (const spelling of [id, upper(id)]) expect((await seen(spelling)).status).toBe(404);
    await until(() => names.includes('product.updated'));
  });

  it('invalidates the response cache and notifies watchers when it is deleted', async () => {
    const id = await makeProduct();
    const { names } = await watch(id);
    for (const spelling of [id, upper(id)]) expect((await seen(spelling)).status).toBe(200);
    const head = await market.platform.eventLog.head();
    const deleted = await market.delete(`/products/${upper(id)}`, farmer);
    expect(deleted.status).toBe(200);
    for (const spelling of [id, upper(id)]) expect((await seen(spelling)).status).toBe(404);
    await market.platform.eventLog.sequence();
    const events = await market.platform.eventLog.read(head);
    expect(events.find(({ name }) => name === 'product.deleted')?.data).toEqual({ _id: id });
    await until(() => names.includes('product.deleted'));
  });

  it('returns ids in lower case to watchers', async () => {
    const id = await makeProduct();
    const socket = await market.connect();
    const versions = await new Promise((resolve) => {
      socket.emit('products.watch', { productIds: [upper(id)] }, resolve);
    });
    expect(versions).toEqual({ [id]: 1 });
  });

  it('is listed by its category and farmer', async () => {
    const id = await makeProduct();
    for (const query of [`category=${upper(category)}`, `farmer=${upper(farmer.id)}`]) {
      const { body } = await market.get(`/products?${query}`);
      expect(body.data.map((product: { _id: string }) => product._id)).toContain(id);
    }
  });
});

describe('accounts, categories and conversations', () => {
  it('deletes an account under its id in upper case', async () => {
    const leaving = await market.join('consumer');
    const head = await market.platform.eventLog.head();
    const answer = await market.delete(`/users/${upper(leaving.id)}`, admin);
    expect(answer.status).toBe(200);
    const me = await market.get('/auth/me', leaving);
    expect(me.status).toBe(401);
    await market.platform.eventLog.sequence();
    const events = await market.platform.eventLog.read(head);
    expect(events.find(({ name }) => name === 'user.deleted')?.data).toEqual({ _id: leaving.id });
  });

  it('rejects an admin who deletes the own account with an id in upper case', async () => {
    const answer = await market.delete(`/users/${upper(admin.id)}`, admin);
    expect([answer.status, answer.body.message]).toEqual([
      403,
      "You can't delete your own account.",
    ]);
  });

  it('changes, deletes and assigns a category', async () => {
    const made = await makeCategory(market.platform, 'Roots');
    const product = await makeProduct({ category: upper(made) });
    const renamed = await market.put(`/categories/${upper(made)}`, admin, {
      name: `Tubers ${randomUUID()}`,
      description: '',
      icon: '',
    });
    expect(renamed.body.data._id).toBe(made);
    const { body } = await market.get(`/products/${product}`);
    expect(body.data.category._id).toBe(made);
    const gone = await market.delete(`/categories/${upper(made)}`, admin);
    expect(gone.status).toBe(200);
  });

  it('keeps one conversation, whatever the case of its ids', async () => {
    const placed = await place([{ product: await makeProduct(), quantity: 1 }]);
    const _id = randomUUID();
    const body = {
      _id: upper(_id),
      receiver: upper(farmer.id),
      content: 'Hello',
      relatedOrder: upper(placed.body.data._id),
    };
    await market.platform.eventLog.sequence();
    const head = await market.platform.eventLog.head();
    const sent = await market.post('/messages', consumer, body);
    expect(sent.body.data).toMatchObject({
      _id,
      receiver: { _id: farmer.id },
      relatedOrder: placed.body.data._id,
    });
    const again = await market.post('/messages', consumer, { ...body, _id });
    expect(again.body).toEqual(sent.body);
    await market.platform.eventLog.sequence();
    const [event] = await market.platform.eventLog.read(head);
    expect(event?.rooms).toEqual([room.user(consumer.id), room.farmMessages(farmer.id)]);

    const thread = await market.get(`/messages/${upper(consumer.id)}`, farmer);
    expect(thread.body.user._id).toBe(consumer.id);
    expect(thread.body.data).toHaveLength(1);
    const read = await market.call('PUT', `/messages/read/${upper(consumer.id)}`, { as: farmer });
    expect(read.body.data).toMatchObject({ reader: farmer.id, sender: consumer.id });
    const { body: list } = await market.get('/messages', farmer);
    expect(list.data).toMatchObject([{ user: { _id: consumer.id }, unreadCount: 0 }]);
  });

  it('rejects a message to oneself with an id in upper case', async () => {
    const answer = await market.post('/messages', farmer, {
      receiver: upper(farmer.id),
      content: 'Hello',
    });
    expect(answer.status).toBe(404);
  });
});

describe('client events over the socket', () => {
  it('reach the right person, with ids in lower case', async () => {
    // Who wrote to the farmer may be seen typing by them.
    await market.post('/messages', consumer, { receiver: farmer.id, content: 'Hello' });
    const [theirs, ours] = await Promise.all([
      market.connect({ token: farmer.token }),
      market.connect({ token: consumer.token }),
    ]);
    const typing = new Promise<string>((resolve) => {
      theirs.on('typing', (envelope) => resolve(envelope.data.from));
    });
    const present = new Promise<string>((resolve) => {
      ours.on('presence.changed', (envelope) => resolve(envelope.data.userId));
    });
    ours.emit('presence.watch', { userIds: [upper(farmer.id)] });
    ours.emit('typing', { to: upper(farmer.id), isTyping: true });
    expect(await typing).toBe(consumer.id);
    expect(await present).toBe(farmer.id);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { PRODUCTS_PER_FARM_MAX } from '#contract/catalogue/products/constants/products';
import { scaled, until } from '../../../testing/until.ts';
import {
  type Caller,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

// Deleting a farm of any size: one event, and everybody else is answered meanwhile.

const market = await startTestMarket();
const admin = await market.join('admin');
const category = await makeCategory(market.platform);
// Dropping so many dead rows takes a busy machine its time.
afterAll(() => market.close(), 120_000);

const remove = (farmer: Caller) => market.delete(`/users/${farmer.id}`, admin);

async function farmOf(count: number): Promise<Caller> {
  const farmer = await market.join('farmer');
  await market.platform.pool.query(
    `INSERT INTO products (farmer_id, category_id, name, description, price_minor, unit, stock_milli)
     SELECT $1, $2, 'Leek ' || n, 'Long.', 100, 'kg', 5000
     FROM generate_series(1, $3) AS n`,
    [farmer.id, category, count],
  );
  return farmer;
}

/**
 * The longest that this process kept itself from its event loop while `task` went on, in milliseconds. Time in which
 * other processes had the machine does not count.
 */
async function longestBlock(task: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let [lastAt, lastUsage] = [performance.now(), process.cpuUsage()];
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(lastUsage);
    longest = Math.max(longest, Math.min(performance.now() - lastAt, (user + system) / 1000));
    [lastAt, lastUsage] = [performance.now(), process.cpuUsage()];
  }, 5);
  await task();
  clearInterval(timer);
  return longest;
}

describe('deleting a farm', () => {
  it('with as many products as a farm may have leaves the market answering', async () => {
    const other = await market.join('farmer');
    const body = productInput(category);
    const shown = (await market.post('/products', other, body)).body.data._id;
    const farmer = await farmOf(PRODUCTS_PER_FARM_MAX);
    const visitor = await market.connect();
    const received: string[] = [];
    visitor.onAny((name: string) => received.push(name));
    const head = await market.platform.eventLog.head();

    let isDeleted = false;
    let answered = 0;
    const longest = await longestBlock(async () => {
      const deleting = remove(farmer).then((answer) => {
        isDeleted = true;
        return answer;
      });
      while (!isDeleted) {
        const answers = await Promise.all([
          market.get(`/products/${shown}?_=${randomUUID()}`),
          market.get('/auth/me', other),
          market.put(`/products/${shown}`, other, { price: 3 }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        answered++;
      }
      expect((await deleting).status).toBe(200);
    });
    expect(answered).toBeGreaterThan(0);
    // It was 4 s when each product had an event.
    expect(longest).toBeLessThan(scaled(2000));

    await until(() => received.includes('farmer.deleted'));
    await market.platform.eventLog.sequence();
    const events = await market.platform.eventLog.read(head, 5000);
    const names = events.map(({ name }) => name).filter((name) => name !== 'product.updated');
    expect(names.sort()).toEqual(['farmer.deleted', 'session.changed', 'user.deleted']);
    expect(received).not.toContain('product.deleted');
    expect(await market.platform.db.product.count({ where: { farmerId: farmer.id } })).toBe(0);
    visitor.disconnect();
  });

  it('with 30,000 products from before the limit succeeds', async () => {
    const farmer = await farmOf(30_000);
    expect((await remove(farmer)).status).toBe(200);
    expect(await market.platform.db.product.count({ where: { farmerId: farmer.id } })).toBe(0);
    expect((await remove(farmer)).status).toBe(404);
  });

  it('ends what is kept in memory of its products, its page and the lists', async () => {
    const farmer = await farmOf(3);
    await market.put('/users/farmers/profile', farmer, {
      farmName: 'Last Acre',
      description: 'Soon gone.',
    });
    const list = () => market.get(`/products?farmer=${farmer.id}`);
    const [product] = (await list()).body.data;
    const page = () => market.get(`/users/farmers/${farmer.id}`);
    const farms = async () => (await market.get('/users/farmers?limit=200')).body.data;
    const detail = () => market.get(`/products/${product._id}`);
    for (const read of [list, page, farms, detail]) {
      await read();
      await read();
    }
    expect((await remove(farmer)).status).toBe(200);
    expect((await list()).body.data).toEqual([]);
    expect((await detail()).status).toBe(404);
    expect((await page()).status).toBe(404);
    expect((await farms()).some(({ _id }: { _id: string }) => _id === farmer.id)).toBe(false);
  });

  it('clears what was noted of its products that run low, and nothing of another farm', async () => {
    const [farmer, other] = [await farmOf(1), await farmOf(1)];
    const { notificationDelivery } = market.platform.db;
    const mark = (userId: string) => ({
      userId,
      kind: 'stock.low',
      key: `stock.low:${randomUUID()}`,
      channel: 'in_app' as const,
      status: 'sent' as const,
    });
    await notificationDelivery.createMany({ data: [mark(farmer.id), mark(other.id)] });
    expect((await remove(farmer)).status).toBe(200);
    const left = await notificationDelivery.findMany({ where: { kind: 'stock.low' } });
    expect(left.map(({ userId }) => userId)).toEqual([other.id]);
  });

  it('lets no product be created that would outlive it, however the farmer hurries', async () => {
    const farmer = await market.join('farmer');
    const create = () => market.post('/products', farmer, productInput(category));
    const [gone, ...created] = await Promise.all([
      remove(farmer),
      ...Array.from({ length: 8 }, create),
    ]);
    expect(gone?.status).toBe(200);
    for (const { status } of created) expect([201, 401]).toContain(status);
    expect(await market.platform.db.product.count({ where: { farmerId: farmer.id } })).toBe(0);
  });

  it('cancels what is pending and accepted, tells the customers why, and returns stock and slots', async () => {
    const [farmer, consumer] = [await farmOf(1), await market.join('consumer')];
    const [product] = (await market.get(`/products?farmer=${farmer.id}`)).body.data;
    const place = async () => {
      const body = orderInput(farmer.id, [{ product: product._id, quantity: 1 }]);
      return (await market.post('/orders', consumer, body)).body.data._id;
    };
    const orders: string[] = [await place(), await place(), await place()];
    const set = (id: string | undefined, status: string) =>
      market.put(`/orders/${id}`, farmer, { status });
    await set(orders[1], 'accepted');
    await set(orders[2], 'accepted');
    await set(orders[2], 'completed');
    const outlook = await market.get('/users/me/deletion', farmer);
    expect(outlook.body.data.farmOrders).toEqual({
      pending: { count: 1, ids: [orders[0]] },
      accepted: { count: 1, ids: [orders[1]] },
    });
    const person = await market.get(`/admin/users/${farmer.id}`, admin);
    expect(person.body.data.openOrders.farmOrders).toEqual(outlook.body.data.farmOrders);
    const socket = await market.connect({ token: consumer.token });
    const told = new Map<string, unknown>();
    socket.on('order.updated', ({ data }: { data: { _id: string; status: string } }) =>
      told.set(data._id, data.status),
    );
    expect((await remove(farmer)).status).toBe(200);
    await until(() => told.size === 2);
    expect(told).toEqual(new Map(orders.slice(0, 2).map((id) => [id, 'cancelled'])));
    const read = async (id: string | undefined) =>
      (await market.get(`/orders/${id}`, consumer)).body.data;
    for (const id of orders.slice(0, 2)) {
      const order = await read(id);
      expect(order.timeline.at(-1)).toMatchObject({
        status: 'cancelled',
        cause: 'farm_left',
      });
      expect(order.mayCancel).toBe(false);
    }
    expect((await read(orders[2])).status).toBe('completed');
    socket.disconnect();
  });

  it('is over before an order of its products, or after it', async () => {
    const [farmer, consumer] = [await farmOf(5), await market.join('consumer')];
    const { body } = await market.get(`/products?farmer=${farmer.id}`);
    const place = (product: { _id: string }) =>
      market.post(
        '/orders',
        consumer,
        orderInput(farmer.id, [{ product: product._id, quantity: 1 }]),
      );
    const [gone, ...placed] = await Promise.all([remove(farmer), ...body.data.map(place)]);
    expect(gone.status).toBe(200);
    for (const { status } of placed) expect([201, 404, 409]).toContain(status);
    const pending = { farmerId: farmer.id, status: 'pending' as const };
    expect(await market.platform.db.order.count({ where: pending })).toBe(0);
  });
});

import { expect, test } from 'vitest';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';

// What a farm's suspension and its end mean for the orders that are open.

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin', 'Root');
const category = await makeCategory(market.platform);

const { get } = market;
const { put } = market;
const suspend = (id: string) => put(`/users/${id}/suspension`, admin, { suspended: true });
const restore = (id: string) => put(`/users/${id}/suspension`, admin, { suspended: false });
const sell = (farmer: Caller) => sellProduct(market, farmer, category);
const order = (as: Caller, farmer: Caller, product: string) =>
  market.post('/orders', as, orderInput(farmer.id, [{ product, quantity: 1 }]));

const statusOf = (id: string, status: string, as: Caller) => put(`/orders/${id}`, as, { status });

test('lets customers cancel what is accepted, for as long as it lasts, and tells them at once', async () => {
  const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
  const product = await sell(farmer);
  const place = async (): Promise<string> => (await order(consumer, farmer, product)).body.data._id;
  const [waiting, accepted, other] = [await place(), await place(), await place()];
  for (const id of [accepted, other]) await statusOf(id, 'accepted', farmer);
  const stock = async () =>
    (await market.platform.db.product.findUniqueOrThrow({ where: { id: product } })).stockMilli;
  const before = await stock();
  expect((await statusOf(accepted, 'cancelled', consumer)).body.code).toBe(
    'TRANSITION_NOT_ALLOWED',
  );

  const socket = await market.connect({ token: consumer.token });
  const told: [string, string, boolean][] = [];
  socket.on('order.updated', ({ data }) => {
    if (data.change.kind === 'party')
      told.push([data._id, data.change.what, data.mayCancel === true]);
  });
  const sorted = (ids: string[]) => [...ids].sort();
  const open = sorted([waiting, accepted, other]);
  await suspend(farmer.id);
  await until(() => told.length === 3);
  expect(told.sort()).toEqual(open.map((id) => [id, 'farm_suspended', true]));
  const read = async (id: string) => (await get(`/orders/${id}`, consumer)).body.data;
  expect(await read(accepted)).toMatchObject({ status: 'accepted', mayCancel: true });
  expect((await statusOf(accepted, 'cancelled', consumer)).status).toBe(200);
  expect(await stock()).toBe(before + 1000n);
  // Nobody else may by this.
  const stranger = await market.join('consumer');
  expect((await statusOf(other, 'cancelled', stranger)).status).toBe(404);

  told.length = 0;
  await restore(farmer.id);
  await until(() => told.length === 2);
  expect(told.sort()).toEqual([
    ...sorted([waiting, other]).map((id) => [id, 'farm_restored', id === waiting]),
  ]);
  expect((await statusOf(other, 'cancelled', consumer)).status).toBe(409);
  expect((await read(other)).mayCancel).toBe(false);
  expect((await read(accepted)).mayCancel).toBe(false);
  socket.disconnect();
});

test('ends while customers cancel: each order is cancelled or stands', async () => {
  for (let round = 0; round < 5; round++) {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const product = await sell(farmer);
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      ids.push((await order(consumer, farmer, product)).body.data._id);
    }
    for (const id of ids) await statusOf(id, 'accepted', farmer);
    await suspend(farmer.id);
    const [restored, ...answers] = await Promise.all([
      restore(farmer.id),
      ...ids.map((id) => statusOf(id, 'cancelled', consumer)),
    ]);
    expect(restored?.status).toBe(200);
    for (const [index, { status }] of answers.entries()) {
      expect([200, 409]).toContain(status);
      const { data } = (await get(`/orders/${ids[index]}`, consumer)).body;
      expect([data.status, data.mayCancel]).toEqual([
        status === 200 ? 'cancelled' : 'accepted',
        false,
      ]);
    }
  }
});

test('tells of hundreds of open orders, all or none', async () => {
  const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
  const product = await sell(farmer);
  const first = (await order(consumer, farmer, product)).body.data._id;
  const { pool, eventLog } = market.platform;
  await pool.query(
    `INSERT INTO orders (consumer_id, farmer_id, status, total_minor, is_pickup, date, time)
     SELECT consumer_id, farmer_id, 'accepted', total_minor, is_pickup, date, time
     FROM orders, generate_series(1, 450) WHERE id = $1`,
    [first],
  );
  await eventLog.sequence();
  const head = await eventLog.head();
  await suspend(farmer.id);
  await eventLog.sequence();
  const events = (await eventLog.read(head, 2000)).filter(({ name }) => name === 'order.updated');
  expect(new Set(events.map(({ data }) => (data as { _id: string })._id)).size).toBe(451);
  const { rows } = await pool.query('SELECT DISTINCT version FROM orders WHERE farmer_id = $1', [
    farmer.id,
  ]);
  expect(rows).toEqual([{ version: 2 }]);
});

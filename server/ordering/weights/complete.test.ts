import { afterAll, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { createOrderFixture } from '../testing/fixture.ts';

// Orders are not handed over with prices that are still open, unless that is said.

const fixture = await createOrderFixture({ DATABASE_POOL_SIZE: '20' });
const chicken = await fixture.createProduct(10_000, {
  name: 'Chicken',
  unit: 'kg',
  priceMinor: 40_000,
  pieceMilli: 1800,
});
const eggs = await fixture.createProduct(10_000, { name: 'Eggs', unit: 'dozen' });
afterAll(() => fixture.close());

async function accepted(): Promise<Order> {
  const { _id } = await fixture.placeOrder([
    { product: chicken, quantity: 2 },
    { product: eggs, quantity: 1 },
  ]);
  return (await fixture.changeStatus(_id, 'accepted', fixture.farmer)).body.data;
}
const complete = (order: Order, over: Record<string, unknown> = {}, as = fixture.farmer) =>
  fixture.call('PUT', `/orders/${order._id}`, { as, body: { status: 'completed', ...over } });
const weigh = (order: Order, packed: number) =>
  fixture.call('PUT', `/orders/${order._id}/lines/${order.items[0]?._id}/weight`, {
    as: fixture.farmer,
    body: { packed },
  });
const read = async ({ _id }: Order): Promise<Order> =>
  (await fixture.call('GET', `/orders/${_id}`, { as: fixture.consumer })).body.data;

it('refuses to complete what is not weighed, and says what', async () => {
  const order = await accepted();
  const { status, body } = await complete(order);
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: 'UNWEIGHED', data: { _id: order._id } });
  expect(body.message).toBe(
    'Not weighed yet: Chicken. Weigh it first, or complete the order with the estimated price.',
  );
  expect(await read(order)).toEqual(order);
});

it('completes what is weighed', async () => {
  const order = await accepted();
  await weigh(order, 3.5);
  const { body } = await complete(order);
  expect(body.data).toMatchObject({ status: 'completed', totalAmount: 1402.5 });
});

it.each(['farmer', 'admin'] as const)('lets a %s use the estimates', async (role) => {
  const order = await accepted();
  const { status, body } = await complete(order, { usesEstimates: true }, fixture[role]);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    status: 'completed',
    totalAmount: 1442.5,
    isTotalFinal: true,
    items: [{ isFinal: true, total: 1440 }, { total: 2.5 }],
  });
  expect(body.data.items[0]).not.toHaveProperty('packed');
  expect(await read(order)).toEqual(body.data);
});

it('decides each of several orders for itself', async () => {
  const [weighed, unweighed] = [await accepted(), await accepted()];
  await weigh(weighed, 3.6);
  const ids = [weighed._id, unweighed._id];
  const send = (over: Record<string, unknown>) =>
    fixture.call('PUT', '/orders/status', {
      as: fixture.farmer,
      body: { ids, status: 'completed', ...over },
    });
  expect((await send({})).body.data).toMatchObject([
    { order: { status: 'completed' } },
    { _id: unweighed._id, code: 'UNWEIGHED' },
  ]);
  expect((await send({ usesEstimates: true })).body.data).toMatchObject([
    { order: { status: 'completed' } },
    { order: { status: 'completed', isTotalFinal: true } },
  ]);
});

it('does not mind estimates where an order is cancelled', async () => {
  const order = await accepted();
  const stock = await fixture.stockOf(chicken);
  const { body } = await fixture.changeStatus(order._id, 'cancelled', fixture.farmer);
  expect(body.data).toMatchObject({ status: 'cancelled', isTotalFinal: false });
  expect(await fixture.stockOf(chicken)).toBe(stock + 2);
});

it('weighs or completes with estimates, and the total is that of the winner', async () => {
  for (let round = 0; round < 6; round++) {
    const order = await accepted();
    const [weighed, completed] = await Promise.all([
      weigh(order, 3.5),
      complete(order, { usesEstimates: true }),
    ]);
    expect(completed.status).toBe(200);
    const { totalAmount, isTotalFinal } = await read(order);
    expect(isTotalFinal).toBe(true);
    expect(totalAmount).toBe(weighed.status === 200 ? 1402.5 : 1442.5);
  }
});

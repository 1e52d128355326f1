import { afterAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { createChangesFixture } from './testing/changes-fixture.ts';

// Whatever makes an order dearer needs the consumer's yes; without an answer nothing does.

const fixture = await createChangesFixture();
const piece = { unit: 'kg', priceMinor: 40_000, pieceMilli: 2000 };
const chicken = await fixture.createProduct(1000, { name: 'Chicken', ...piece });
afterAll(() => fixture.close());

const lineOf = (order: Order, index = 0) => order.items[index]?._id ?? '';

/** Three chickens, expected at 2400, that weigh 1.5 kg together and cost 600. */
async function weighedLight(preference: Record<string, unknown> = {}): Promise<Order> {
  const placed = await fixture.placeOrder([{ product: chicken, quantity: 3, ...preference }]);
  await fixture.changeStatus(placed._id, 'accepted', fixture.farmer);
  const path = `/orders/${placed._id}/lines/${lineOf(placed)}/weight`;
  const { body } = await fixture.put(path, fixture.farmer, { packed: 1.5 });
  expect(body.data.totalAmount).toBe(600);
  return body.data;
}

const reduceTo = (order: Order, newQuantity: number) =>
  fixture.propose(order, [
    { lineId: lineOf(order), action: 'reduce', newQuantity, reason: 'damaged' },
  ]);

test('less of goods that were weighed light can be dearer, and then the customer is asked', async () => {
  const order = await weighedLight({ onShort: 'leave_out' });
  const { body } = await reduceTo(order, 2);
  expect(body.data).toMatchObject({
    totalAmount: 600,
    openChange: { totalBefore: 600, totalAfter: 1600 },
  });
  expect(await fixture.answered(body.data, ['accept'])).toMatchObject({
    totalAmount: 1600,
    isTotalFinal: false,
    items: [{ quantity: 2 }],
  });
});

test('without an answer less of them costs no more than before', async () => {
  const { body } = await reduceTo(await weighedLight(), 2);
  await fixture.endNow(body.data);
  await fixture.expire(body.data);
  expect(await fixture.read(body.data)).toMatchObject({
    openChange: null,
    totalAmount: 600,
    items: [{ quantity: 2, state: 'reduced', total: 600 }],
  });
});

test('nor does it once that is weighed, but with a yes', async () => {
  const { body } = await reduceTo(await weighedLight(), 2);
  await fixture.endNow(body.data);
  await fixture.expire(body.data);
  const weigh = async (weight: Record<string, unknown>): Promise<Order> => {
    const path = `/orders/${body.data._id}/lines/${lineOf(body.data)}/weight`;
    return (await fixture.put(path, fixture.farmer, weight)).body.data;
  };
  // Two at 400 a kilogram.
  expect(await weigh({ packed: 2 })).toMatchObject({ totalAmount: 600, openChange: null });
  expect(await weigh({ packed: 2.5 })).toMatchObject({ totalAmount: 600, isTotalFinal: true });
  const asked = await weigh({ packed: 2.5, overweight: 'ask' });
  expect(asked).toMatchObject({ totalAmount: 600, openChange: { totalAfter: 1000 } });
  expect(await fixture.answered(asked, ['accept'])).toMatchObject({ totalAmount: 1000 });
  expect(await weigh({ packed: 1.25 })).toMatchObject({ totalAmount: 500 });
});

test('what is not dearer is done at once, as the customer wished', async () => {
  const preference = { onShort: 'leave_out' };
  const placed = await fixture.placeOrder([{ product: chicken, quantity: 3, ...preference }]);
  const { body } = await reduceTo(placed, 2);
  expect(body.data).toMatchObject({ openChange: null, totalAmount: 1600 });
});

test('something similar that is dearer is asked, and is not added without an answer', async () => {
  const { order, beets } = await fixture.ordered([{ onShort: 'similar' }, {}]);
  const { body } = await fixture.propose(order, [
    {
      lineId: lineOf(order),
      action: 'substitute',
      substitute: { productId: beets, quantity: 9 },
      reason: 'sold_out',
    },
  ]);
  expect(body.data.openChange).toMatchObject({ totalBefore: 35, totalAfter: 37 });
  await fixture.endNow(body.data);
  await fixture.expire(body.data);
  expect(await fixture.read(body.data)).toMatchObject({ openChange: null, totalAmount: 10 });
});

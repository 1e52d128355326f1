import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { tablesWith } from '../../testing/whole/tables-with.ts';

// An accepted order keeps the address it is delivered to, for as long as there is somebody to deliver it.

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const category = await makeCategory(market.platform);

/** Every write has a key, under which its answer is stored. */
const call = (method: string, path: string, as: Caller, body?: unknown) =>
  market.call(method, path, { as, body, headers: { 'idempotency-key': randomUUID() } });
const remove = async (id: string) =>
  expect((await call('DELETE', `/users/${id}`, admin)).status).toBe(200);

const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
async function orderDelivery(consumer: Caller, farmer: Caller, product: string, street: string) {
  const input = orderInput(farmer.id, [{ product, quantity: 1 }], {
    pickupDetails: undefined,
    deliveryDetails: {
      date: day,
      time: '10:00',
      address: { street, city: 'Ashford', state: 'VT', zipCode: '05001' },
    },
  });
  return (await call('POST', '/orders', consumer, input)).body.data._id as string;
}

test('erases the address of what was accepted once the farm is gone as well, no matter who goes first', async () => {
  for (const first of ['consumer', 'farmer'] as const) {
    const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
    const profile = { farmName: 'Hill', description: 'Soil.', acceptsDelivery: true };
    await call('PUT', '/users/farmers/profile', farmer, profile);
    const street = `street-${randomUUID()}`;
    const order = await orderDelivery(
      consumer,
      farmer,
      await sellProduct(market, farmer, category),
      street,
    );
    await call('PUT', `/orders/${order}`, farmer, { status: 'accepted' });
    const [one, other] = first === 'consumer' ? [consumer, farmer] : [farmer, consumer];
    await remove(one.id);
    const kept = await tablesWith(market, [street]);
    expect(kept.length > 0, first).toBe(true);
    await remove(other.id);
    expect(await tablesWith(market, [street]), first).toEqual([]);
  }
});

test('erases the address of an order that an older version left with a farm that is gone', async () => {
  const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
  const profile = { farmName: 'Hill', description: 'Soil.', acceptsDelivery: true };
  await call('PUT', '/users/farmers/profile', farmer, profile);
  const street = `street-${randomUUID()}`;
  const order = await orderDelivery(
    consumer,
    farmer,
    await sellProduct(market, farmer, category),
    street,
  );
  await call('PUT', `/orders/${order}`, farmer, { status: 'accepted' });
  await market.platform.db.user.update({
    where: { id: farmer.id },
    data: { deletedAt: new Date() },
  });
  // Its customer may cancel it, since nobody else can.
  const read = await call('GET', `/orders/${order}`, consumer);
  expect(read.body.data).toMatchObject({ status: 'accepted', mayCancel: true });
  await remove(consumer.id);
  expect(await tablesWith(market, [street])).toEqual([]);
});

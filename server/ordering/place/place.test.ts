import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Order } from '#contract/ordering/orders/orders';
import { room } from '#contract/platform/events/constants';
import { LINES_MAX } from '#contract/platform/orders/constants';
import { FARM_ADDRESS, orderInput } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';

const fixture = await createOrderFixture();

afterAll(() => fixture.close());

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

const delivery = {
  address: { street: '2 Hill Road', city: 'Ashford', state: 'VT', zipCode: '05001' },
  date: day(1),
  time: '17:30',
};

describe('an order', () => {
  test('is returned as its parties and admins read it, and takes the stock', async () => {
    const [carrots, leeks] = await Promise.all([
      fixture.createProduct(5, { images: ['https://a.test/carrot.png', 'https://a.test/2.png'] }),
      fixture.createProduct(3, { name: 'Leeks', priceMinor: 199, unit: 'each' }),
    ]);
    const { status, body } = await fixture.order(
      [
        { product: leeks, quantity: 3, price: 1.99 },
        { product: carrots, quantity: 2 },
      ],
      { over: { notes: '  By the door ', paymentMethod: 'bank_transfer' } },
    );
    expect(status).toBe(201);
    const order = Order.parse(body.data);
    expect(order).toMatchObject({
      status: 'pending',
      totalAmount: 10.97,
      paymentMethod: 'bank_transfer',
      notes: 'By the door',
      version: 1,
      consumer: { _id: fixture.consumer.id, email: fixture.consumer.email, phone: '555-0100' },
      farmer: { _id: fixture.farmer.id, email: fixture.farmer.email },
      items: [
        {
          product: { _id: leeks, name: 'Leeks', images: [], unit: 'each' },
          quantity: 3,
          price: 1.99,
        },
        {
          product: { _id: carrots, images: ['https://a.test/carrot.png'] },
          quantity: 2,
          price: 2.5,
        },
      ],
      pickupDetails: { date: day(1), time: '10:00', location: FARM_ADDRESS },
      timeline: [
        {
          status: 'pending',
          by: { _id: fixture.consumer.id, role: 'consumer' },
          at: order.createdAt,
        },
      ],
    });
    expect(order).not.toHaveProperty('deliveryDetails');
    for (const as of [fixture.consumer, fixture.farmer, fixture.admin]) {
      const read = await fixture.call('GET', `/orders/${order._id}`, { as });
      expect(read.body).toEqual({ success: true, data: body.data });
    }
    expect([await fixture.stockOf(carrots), await fixture.stockOf(leeks)]).toEqual([3, 0]);
  });

  test('is delivered where the farm delivers', async () => {
    const seller = await fixture.join('farmer');
    const product = await fixture.createProduct(5, { farmerId: seller.id });
    await fixture.platform.db.farmerProfile.upsert({
      where: { userId: seller.id },
      create: { userId: seller.id, acceptsPickup: false, acceptsDelivery: true },
      update: { acceptsPickup: false, acceptsDelivery: true },
    });
    const body = orderInput(seller.id, [{ product, quantity: 1 }]);
    const pickup = await fixture.call('POST', '/orders', { as: fixture.consumer, body });
    expect(pickup.status).toBe(409);
    expect(pickup.body.message).toBe('This farm does not offer pickup.');
    const delivered = await fixture.call('POST', '/orders', {
      as: fixture.consumer,
      body: { ...body, pickupDetails: undefined, deliveryDetails: delivery },
    });
    expect(delivered.body.data).toMatchObject({ deliveryDetails: delivery });
    expect(delivered.body.data).not.toHaveProperty('pickupDetails');
  });

  test('sends events to its farmer, its consumer, admins and watchers of the products', async () => {
    const products = await Promise.all([fixture.createProduct(5), fixture.createProduct(9)]);
    products.sort();
    const head = await fixture.head();
    const order = await fixture.placeOrder(products.map((product) => ({ product, quantity: 2 })));
    const recorded = await fixture.eventsAfter(head);
    expect(recorded[0]).toEqual({
      name: 'order.created',
      rooms: [room.farm(fixture.farmer.id), room.user(fixture.consumer.id), room.admins],
      data: order,
    });
    const read = await Promise.all(
      products.map(async (id) => (await fixture.call('GET', `/products/${id}`)).body.data),
    );
    expect(recorded.slice(1)).toEqual(
      read.map((data) => ({
        name: 'product.updated',
        rooms: [room.product(data._id), room.farm(fixture.farmer.id)],
        data,
      })),
    );
    expect(read.map((data) => data.version)).toEqual([2, 2]);
  });
});

describe('invalid orders', () => {
  const refused = async (
    items: { product: string; quantity: number; price?: number }[],
    over: Record<string, unknown> = {},
  ) => {
    const head = await fixture.head();
    const { status, body } = await fixture.order(items, { over });
    expect(await fixture.eventsAfter(head)).toEqual([]);
    return { status, ...body };
  };

  test.each([
    ['both ways', { deliveryDetails: delivery }, 'pickupDetails'],
    ['neither way', { pickupDetails: undefined }, 'pickupDetails'],
    [
      'no place',
      { pickupDetails: { date: day(1), time: '10:00', location: ' ' } },
      'pickupDetails.location',
    ],
    [
      'a past date',
      { pickupDetails: { date: day(-1), time: '10:00', location: 'x' } },
      'pickupDetails.date',
    ],
    [
      'a past delivery',
      { pickupDetails: undefined, deliveryDetails: { ...delivery, date: '0000-01-01' } },
      'deliveryDetails.date',
    ],
  ])('%s', async (_, over, path) => {
    const answer = await refused([{ product: await fixture.createProduct(5), quantity: 1 }], over);
    expect(answer.status).toBe(400);
    expect(answer.errors).toMatchObject([{ path }]);
  });

  test('an invalid quantity, a duplicate product, or too many lines', async () => {
    const product = await fixture.createProduct(5);
    for (const quantity of [0, -1, 1.5, 1_000_001]) {
      expect((await refused([{ product, quantity }])).status).toBe(400);
    }
    const twice = await refused([
      { product, quantity: 1 },
      { product, quantity: 1 },
    ]);
    expect(twice.message).toBe('List each product only once.');
    const many = Array.from({ length: LINES_MAX + 1 }, () => ({
      product: randomUUID(),
      quantity: 1,
    }));
    expect((await refused(many)).status).toBe(400);
  });

  test('today is accepted', async () => {
    const pickupDetails = { date: day(0), time: '00:00', location: 'Farm gate' };
    const answer = await fixture.order([{ product: await fixture.createProduct(5), quantity: 1 }], {
      over: { pickupDetails },
    });
    expect(answer.status).toBe(201);
  });

  test('an unknown farm', async () => {
    const product = await fixture.createProduct(5);
    for (const farmer of [randomUUID(), fixture.consumer.id]) {
      const answer = await refused([{ product, quantity: 1 }], { farmer });
      expect([answer.status, answer.message]).toEqual([404, 'Farmer not found']);
    }
    const left = await fixture.join('farmer');
    await fixture.platform.db.user.update({
      where: { id: left.id },
      data: { deletedAt: new Date() },
    });
    expect((await refused([{ product, quantity: 1 }], { farmer: left.id })).status).toBe(404);
  });

  test('an outdated price, with the present prices', async () => {
    const [cheap, dear, same] = await Promise.all([
      fixture.createProduct(5),
      fixture.createProduct(5, { name: 'Saffron', priceMinor: 123_456, unit: 'g' }),
      fixture.createProduct(5),
    ]);
    const answer = await refused([
      { product: same, quantity: 1, price: 2.5 },
      { product: dear, quantity: 1, price: 1000 },
      { product: cheap, quantity: 1, price: 2.49 },
    ]);
    expect(answer).toMatchObject({ status: 409, code: 'PRICE_CHANGED' });
    expect(answer.errors).toEqual([
      { path: 'items.1.price', message: 'Saffron is now ₨1,234.56 per g.' },
      { path: 'items.2.price', message: 'Carrots is now ₨2.50 per lb.' },
    ]);
  });

  test('more than the stock, with what is left of each product', async () => {
    const [gone, few, enough] = await Promise.all([
      fixture.createProduct(0, { name: 'Eggs' }),
      fixture.createProduct(2, { name: 'Milk' }),
      fixture.createProduct(9),
    ]);
    const answer = await refused([
      { product: enough, quantity: 9 },
      { product: few, quantity: 3 },
      { product: gone, quantity: 1 },
    ]);
    expect(answer).toMatchObject({ status: 409, code: 'OUT_OF_STOCK' });
    expect(answer.errors).toEqual([
      { path: 'items.1.quantity', message: 'Only 2 lb of Milk left.' },
      { path: 'items.2.quantity', message: 'Eggs is sold out.' },
    ]);
    expect(answer.message).toBe('Only 2 lb of Milk left. Eggs is sold out.');
    expect(await fixture.stockOf(enough)).toBe(9);
  });

  test('a total above the limit', async () => {
    const dear = { priceMinor: 100_000_000 };
    const product = await fixture.createProduct(1_000_000, dear);
    const answer = await refused([{ product, quantity: 10_001 }]);
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'items' }] });
    expect((await fixture.placeOrder([{ product, quantity: 10_000 }])).totalAmount).toBe(
      10_000_000_000,
    );
  });
});

describe('the Idempotency-Key', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('is separate for each person', async () => {
    const product = await fixture.createProduct(5);
    const [mine, theirs] = await Promise.all([
      fixture.order([{ product, quantity: 1 }], keyed('c')),
      fixture.order([{ product, quantity: 1 }], {
        ...keyed('c'),
        as: await fixture.join('consumer'),
      }),
    ]);
    expect(mine.body.data._id).not.toBe(theirs.body.data._id);
  });

  test('can be used again after a rejected order', async () => {
    const product = await fixture.createProduct(0);
    expect((await fixture.order([{ product, quantity: 1 }], keyed('d'))).status).toBe(409);
    await fixture.platform.db.product.update({
      where: { id: product },
      data: { stockMilli: 1000 },
    });
    expect((await fixture.order([{ product, quantity: 1 }], keyed('d'))).status).toBe(201);
  });

  test('expires after a day', async () => {
    const product = await fixture.createProduct(5);
    const first = await fixture.order([{ product, quantity: 1 }], keyed('e'));
    await fixture.platform.db.command.updateMany({
      where: { key: 'e' },
      data: { createdAt: new Date(Date.now() - 24 * 3_600_000 - 1000) },
    });
    const second = await fixture.order([{ product, quantity: 2 }], keyed('e'));
    expect(second.status).toBe(201);
    expect(second.body.data._id).not.toBe(first.body.data._id);
  });

  test.each(['x'.repeat(201), 'with space'])('of an invalid form is rejected', async (key) => {
    const product = await fixture.createProduct(5);
    expect((await fixture.order([{ product, quantity: 1 }], keyed(key))).status).toBe(400);
  });
});

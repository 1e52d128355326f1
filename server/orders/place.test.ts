import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { room } from '#contract/events';
import { LINES_MAX, Order } from '#contract/orders';
import { orderInput } from '../testing/market.ts';
import { createOrderFixture, type OrderFixture } from './testing/fixture.ts';

let stall: OrderFixture;

beforeAll(async () => {
  stall = await createOrderFixture();
});

afterAll(() => stall.close());

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

const delivery = {
  address: { street: '2 Hill Road', city: 'Ashford', state: 'VT', zipCode: '05001' },
  date: day(1),
  time: '17:30',
};

describe('an order', () => {
  test('is answered as its parties and admins read it, and takes the stock', async () => {
    const [carrots, leeks] = await Promise.all([
      stall.stock(5, { images: ['https://a.test/carrot.png', 'https://a.test/2.png'] }),
      stall.stock(3, { name: 'Leeks', priceMinor: 199, unit: 'each' }),
    ]);
    const { status, body } = await stall.order(
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
      consumer: { _id: stall.consumer.id, email: stall.consumer.email, phone: '555-0100' },
      farmer: { _id: stall.farmer.id, email: stall.farmer.email },
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
      pickupDetails: { date: day(1), time: '10:00', location: 'Farm gate' },
      timeline: [
        {
          status: 'pending',
          by: { _id: stall.consumer.id, role: 'consumer' },
          at: order.createdAt,
        },
      ],
    });
    expect(order).not.toHaveProperty('deliveryDetails');
    for (const as of [stall.consumer, stall.farmer, stall.admin]) {
      const read = await stall.call('GET', `/orders/${order._id}`, { as });
      expect(read.body).toEqual({ success: true, data: body.data });
    }
    expect([await stall.left(carrots), await stall.left(leeks)]).toEqual([3, 0]);
  });

  test('is delivered where the farm delivers', async () => {
    const seller = await stall.join('farmer');
    const product = await stall.stock(5, { farmerId: seller.id });
    await stall.platform.db.farmerProfile.upsert({
      where: { userId: seller.id },
      create: { userId: seller.id, acceptsPickup: false, acceptsDelivery: true },
      update: { acceptsPickup: false, acceptsDelivery: true },
    });
    const body = orderInput(seller.id, [{ product, quantity: 1 }]);
    const pickup = await stall.call('POST', '/orders', { as: stall.consumer, body });
    expect(pickup.status).toBe(409);
    expect(pickup.body.message).toBe('This farm does not offer pickup.');
    const delivered = await stall.call('POST', '/orders', {
      as: stall.consumer,
      body: { ...body, pickupDetails: undefined, deliveryDetails: delivery },
    });
    expect(delivered.body.data).toMatchObject({ deliveryDetails: delivery });
    expect(delivered.body.data).not.toHaveProperty('pickupDetails');
  });

  test('tells its farmer, its consumer and admins, and who watches the products', async () => {
    const products = await Promise.all([stall.stock(5), stall.stock(9)]);
    products.sort();
    const head = await stall.head();
    const order = await stall.placed(products.map((product) => ({ product, quantity: 2 })));
    const heard = await stall.heardSince(head);
    expect(heard[0]).toEqual({
      name: 'order.created',
      rooms: [room.user(stall.farmer.id), room.user(stall.consumer.id), room.admins],
      data: order,
    });
    const read = await Promise.all(
      products.map(async (id) => (await stall.call('GET', `/products/${id}`)).body.data),
    );
    expect(heard.slice(1)).toEqual(
      read.map((data) => ({
        name: 'product.updated',
        rooms: [room.product(data._id), room.user(stall.farmer.id)],
        data,
      })),
    );
    expect(read.map((data) => data.version)).toEqual([2, 2]);
  });
});

describe('who may order', () => {
  test('consumers alone', async () => {
    const body = orderInput(stall.farmer.id, [{ product: await stall.stock(5), quantity: 1 }]);
    const status = async (as?: typeof stall.consumer) =>
      (await stall.call('POST', '/orders', { as, body })).status;
    expect(await Promise.all([status(), status(stall.farmer), status(stall.admin)])).toEqual([
      401, 403, 403,
    ]);
  });
});

describe('what is refused, and nothing ordered', () => {
  const refused = async (
    items: { product: string; quantity: number; price?: number }[],
    over: Record<string, unknown> = {},
  ) => {
    const head = await stall.head();
    const { status, body } = await stall.order(items, { over });
    expect(await stall.heardSince(head)).toEqual([]);
    return { status, ...body };
  };

  test.each([
    ['no lines', { items: [] }, 'items'],
    ['no farm', { farmer: 'me' }, 'farmer'],
    ['both ways', { deliveryDetails: delivery }, 'pickupDetails'],
    ['neither way', { pickupDetails: undefined }, 'pickupDetails'],
    [
      'no place',
      { pickupDetails: { date: day(1), time: '10:00', location: ' ' } },
      'pickupDetails.location',
    ],
    [
      'a bad time',
      { pickupDetails: { date: day(1), time: '25:00', location: 'x' } },
      'pickupDetails.time',
    ],
    [
      'a bad date',
      { pickupDetails: { date: '2026-02-30', time: '10:00', location: 'x' } },
      'pickupDetails.date',
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
    ['long notes', { notes: 'x'.repeat(1001) }, 'notes'],
    ['a way to pay', { paymentMethod: 'barter' }, 'paymentMethod'],
  ])('%s', async (_, over, path) => {
    const answer = await refused([{ product: await stall.stock(5), quantity: 1 }], over);
    expect(answer.status).toBe(400);
    expect(answer.errors).toMatchObject([{ path }]);
  });

  test('a quantity that is none, or a product twice, or too many lines', async () => {
    const product = await stall.stock(5);
    for (const quantity of [0, -1, 1.5, 1_000_001]) {
      expect((await refused([{ product, quantity }])).status).toBe(400);
    }
    const twice = await refused([
      { product, quantity: 1 },
      { product, quantity: 1 },
    ]);
    expect(twice.message).toBe('Each product can stand in an order only once.');
    const many = Array.from({ length: LINES_MAX + 1 }, () => ({
      product: randomUUID(),
      quantity: 1,
    }));
    expect((await refused(many)).status).toBe(400);
  });

  test('today is taken', async () => {
    const pickupDetails = { date: day(0), time: '00:00', location: 'Farm gate' };
    const answer = await stall.order([{ product: await stall.stock(5), quantity: 1 }], {
      over: { pickupDetails },
    });
    expect(answer.status).toBe(201);
  });

  test('a farm that is not there', async () => {
    const product = await stall.stock(5);
    for (const farmer of [randomUUID(), stall.consumer.id]) {
      const answer = await refused([{ product, quantity: 1 }], { farmer });
      expect([answer.status, answer.message]).toEqual([404, 'Farmer not found']);
    }
    const left = await stall.join('farmer');
    await stall.platform.db.user.update({
      where: { id: left.id },
      data: { deletedAt: new Date() },
    });
    expect((await refused([{ product, quantity: 1 }], { farmer: left.id })).status).toBe(404);
  });

  test('delivery where the farm has none', async () => {
    const answer = await refused([{ product: await stall.stock(5), quantity: 1 }], {
      pickupDetails: undefined,
      deliveryDetails: delivery,
    });
    expect([answer.status, answer.message]).toEqual([409, 'This farm does not deliver.']);
  });

  test('products that cannot be had', async () => {
    const good = await stall.stock(5);
    for (const [over, message] of [
      [{ isActive: false }, 'Carrots is no longer available.'],
      [{ availableUntil: new Date(`${day(-1)}T00:00:00Z`) }, 'Carrots is no longer available.'],
      [
        { farmerId: (await stall.join('farmer')).id },
        'Carrots is sold by another farm. You can only order from one farm at a time.',
      ],
    ] as const) {
      const answer = await refused([
        { product: good, quantity: 1 },
        { product: await stall.stock(5, over), quantity: 1 },
      ]);
      expect([answer.status, answer.message]).toEqual([409, message]);
      expect(answer.errors).toEqual([{ path: 'items.1.product', message }]);
    }
    const unknown = await refused([{ product: randomUUID(), quantity: 1 }]);
    expect(unknown).toMatchObject({
      status: 409,
      code: 'PRODUCT_UNAVAILABLE',
      message: 'A product in your cart is no longer available.',
    });
    expect(await stall.left(good)).toBe(5);
  });

  test('another price than the one on the market, naming the present ones', async () => {
    const [cheap, dear, same] = await Promise.all([
      stall.stock(5),
      stall.stock(5, { name: 'Saffron', priceMinor: 123_456, unit: 'g' }),
      stall.stock(5),
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

  test('more than there is, naming each short product and what is left', async () => {
    const [gone, few, enough] = await Promise.all([
      stall.stock(0, { name: 'Eggs' }),
      stall.stock(2, { name: 'Milk' }),
      stall.stock(9),
    ]);
    const answer = await refused([
      { product: enough, quantity: 9 },
      { product: few, quantity: 3 },
      { product: gone, quantity: 1 },
    ]);
    expect(answer).toMatchObject({ status: 409, code: 'OUT_OF_STOCK' });
    expect(answer.errors).toEqual([
      { path: 'items.1.quantity', message: 'Only 2 of Milk (per lb) are left.' },
      { path: 'items.2.quantity', message: 'Eggs is sold out.' },
    ]);
    expect(answer.message).toBe('Only 2 of Milk (per lb) are left. Eggs is sold out.');
    expect(await stall.left(enough)).toBe(9);
  });

  test('more than a total can hold', async () => {
    const dear = { priceMinor: 100_000_000 };
    const product = await stall.stock(1_000_000, dear);
    const answer = await refused([{ product, quantity: 10_001 }]);
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'items' }] });
    expect((await stall.placed([{ product, quantity: 10_000 }])).totalAmount).toBe(10_000_000_000);
  });
});

describe('the Idempotency-Key', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('gives the first answer to a repeat, also after the order went on', async () => {
    const product = await stall.stock(5);
    const first = await stall.order([{ product, quantity: 5 }], keyed('a'));
    expect(first.status).toBe(201);
    await stall.move(first.body.data._id, 'accepted', stall.farmer);
    const head = await stall.head();
    const repeat = await stall.order([{ product, quantity: 5 }], keyed('a'));
    expect(repeat.status).toBe(201);
    expect(repeat.body).toEqual(first.body);
    expect(await stall.heardSince(head)).toEqual([]);
  });

  test('is refused for another order', async () => {
    const product = await stall.stock(5);
    await stall.order([{ product, quantity: 1 }], keyed('b'));
    const other = await stall.order([{ product, quantity: 2 }], keyed('b'));
    expect(other.status).toBe(409);
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await stall.left(product)).toBe(4);
  });

  test("is one person's own", async () => {
    const product = await stall.stock(5);
    const [mine, theirs] = await Promise.all([
      stall.order([{ product, quantity: 1 }], keyed('c')),
      stall.order([{ product, quantity: 1 }], { ...keyed('c'), as: await stall.join('consumer') }),
    ]);
    expect(mine.body.data._id).not.toBe(theirs.body.data._id);
  });

  test('is free again after a refusal', async () => {
    const product = await stall.stock(0);
    expect((await stall.order([{ product, quantity: 1 }], keyed('d'))).status).toBe(409);
    await stall.platform.db.product.update({
      where: { id: product },
      data: { quantityAvailable: 1 },
    });
    expect((await stall.order([{ product, quantity: 1 }], keyed('d'))).status).toBe(201);
  });

  test('is forgotten after a day', async () => {
    const product = await stall.stock(5);
    const first = await stall.order([{ product, quantity: 1 }], keyed('e'));
    await stall.platform.db.command.updateMany({
      where: { key: 'e' },
      data: { createdAt: new Date(Date.now() - 24 * 3_600_000 - 1000) },
    });
    const second = await stall.order([{ product, quantity: 2 }], keyed('e'));
    expect(second.status).toBe(201);
    expect(second.body.data._id).not.toBe(first.body.data._id);
  });

  test.each(['x'.repeat(201), 'with space'])('of another form is refused', async (key) => {
    const product = await stall.stock(5);
    expect((await stall.order([{ product, quantity: 1 }], keyed(key))).status).toBe(400);
  });
});

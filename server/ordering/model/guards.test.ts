import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { room } from '#contract/platform/events/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Answer, Caller } from '../../testing/market.ts';
import { changeWhileWaiting } from '../testing/change-while-waiting.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';

let fixture: OrderFixture;
beforeAll(async () => {
  fixture = await createOrderFixture();
});
afterAll(() => fixture.close());

const whileWaiting = (lock: string, id: string, act: () => Promise<Answer>, change: string) =>
  changeWhileWaiting(fixture.platform.pool, { lock, id, act, change });

const PRODUCT = 'SELECT 1 FROM products WHERE id = $1 FOR UPDATE';
const PERSON = 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE';
const FARM = 'SELECT 1 FROM farmer_profiles WHERE user_id = $1 FOR UPDATE';
const ORDER = 'SELECT 1 FROM orders WHERE id = $1 FOR UPDATE';

describe('an order whose preconditions change while it is placed', () => {
  /** Orders two of a product that somebody else holds and then changes. */
  async function orderWhile(change: string) {
    const [product, other] = [await fixture.createProduct(5), await fixture.createProduct(5)];
    const head = await fixture.head();
    const answer = await whileWaiting(
      PRODUCT,
      product,
      () =>
        fixture.order([
          { product: other, quantity: 1 },
          { product, quantity: 2, price: 2.5 },
        ]),
      change,
    );
    return { answer, product, other, events: await fixture.eventsAfter(head) };
  }

  test.each([
    ['its price', 'price_minor = 300', 'PRICE_CHANGED', { price: 3 }],
    ['its stock', 'stock_milli = 1000, version = version + 1', 'OUT_OF_STOCK', { left: 1 }],
    ['whether it is sold', 'is_active = false', 'PRODUCT_UNAVAILABLE', {}],
    ['its last day', "available_until = '2001-01-01'", 'PRODUCT_UNAVAILABLE', {}],
  ])('is refused by %s as it is then, and takes nothing', async (_, set, code, figures) => {
    const { answer, other, events } = await orderWhile(`UPDATE products SET ${set} WHERE id = $1`);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code, problems: [{ line: 1, code, ...figures }] });
    expect(await fixture.stockOf(other)).toBe(5);
    expect(events).toEqual([]);
  });

  test('is rejected when the product is deleted', async () => {
    const { answer, other } = await orderWhile('DELETE FROM products WHERE id = $1');
    expect(answer.body).toMatchObject({ code: 'PRODUCT_UNAVAILABLE', problems: [{ line: 1 }] });
    expect(await fixture.stockOf(other)).toBe(5);
  });

  test("is placed with the product's new name", async () => {
    const { answer, product, events } = await orderWhile(
      `UPDATE products SET name = 'Renamed', version = version + 1 WHERE id = $1`,
    );
    expect(answer.status).toBe(201);
    expect(answer.body.data.items[1].product.name).toBe('Renamed');
    expect(events.find(({ data }) => data._id === product)?.data).toMatchObject({
      name: 'Renamed',
      quantityAvailable: 3,
      version: 3,
    });
  });

  test('is placed without reading again when only the stock changed and enough is left', async () => {
    const { answer, product, events } = await orderWhile(
      'UPDATE products SET stock_milli = 4000, version = version + 1 WHERE id = $1',
    );
    expect(answer.status).toBe(201);
    expect(events.find(({ data }) => data._id === product)?.data).toMatchObject({
      quantityAvailable: 2,
      version: 3,
    });
  });

  async function farmWithProfile() {
    const farmer = await fixture.join('farmer');
    const data = { acceptsPickup: true, acceptsDelivery: true };
    await fixture.platform.db.farmerProfile.upsert({
      where: { userId: farmer.id },
      create: { userId: farmer.id, ...data },
      update: data,
    });
    const product = await fixture.createProduct(5, { farmerId: farmer.id });
    const order = (as: Caller = fixture.consumer) =>
      fixture.order([{ product, quantity: 1 }], { as, over: { farmer: farmer.id } });
    return { farmer, product, order };
  }

  test('is rejected when the farm stops offering it', async () => {
    const { farmer, product, order } = await farmWithProfile();
    const answer = await whileWaiting(
      FARM,
      farmer.id,
      order,
      'UPDATE farmer_profiles SET accepts_pickup = false WHERE user_id = $1',
    );
    expect(answer.body).toMatchObject({ code: 'PICKUP_NOT_OFFERED' });
    expect(await fixture.stockOf(product)).toBe(5);
  });

  test('is rejected when the farm is paused, and placed when its pause is over', async () => {
    const { farmer, product, order } = await farmWithProfile();
    const pausedUntil = (end: string) =>
      `UPDATE farmer_profiles SET paused_at = now() - interval '2 days', paused_until = ${end}
       WHERE user_id = $1`;
    const answer = await whileWaiting(
      FARM,
      farmer.id,
      order,
      pausedUntil("now() + interval '1 h'"),
    );
    expect([answer.status, answer.body.code]).toEqual([409, 'FARM_PAUSED']);
    expect(Date.parse(answer.body.data.until)).toBeGreaterThan(Date.now());
    expect(await fixture.stockOf(product)).toBe(5);
    await fixture.platform.pool.query(pausedUntil("now() - interval '1 h'"), [farmer.id]);
    expect((await order()).status).toBe(201);
  });

  test('is rejected when the farm stops delivering there', async () => {
    const { farmer, product } = await farmWithProfile();
    const address = { street: '1 Elm St', city: 'Springfield', state: 'VT', zipCode: '05156' };
    const answer = await whileWaiting(
      FARM,
      farmer.id,
      () =>
        fixture.order([{ product, quantity: 1 }], {
          over: {
            farmer: farmer.id,
            pickupDetails: undefined,
            deliveryDetails: { address, date: addDays(dayIn('UTC'), 20), time: '10:00' },
          },
        }),
      "UPDATE farmer_profiles SET delivery_areas = '{Bern}' WHERE user_id = $1",
    );
    expect(answer.body).toMatchObject({ code: 'OUT_OF_AREA' });
    expect(await fixture.stockOf(product)).toBe(5);
  });

  test.each(['farmer', 'consumer'] as const)('is rejected when its %s is deleted', async (who) => {
    const { farmer, product, order } = await farmWithProfile();
    const buyer = await fixture.join('consumer');
    const answer = await whileWaiting(
      PERSON,
      who === 'farmer' ? farmer.id : buyer.id,
      () => order(buyer),
      'UPDATE users SET deleted_at = now() WHERE id = $1',
    );
    expect(answer.status).toBe(who === 'farmer' ? 404 : 401);
    expect(await fixture.stockOf(product)).toBe(5);
  });
});

describe('a status change whose preconditions change meanwhile', () => {
  const accept = (id: string) => () => fixture.changeStatus(id, 'accepted', fixture.farmer);
  const placed = async () =>
    fixture.placeOrder([{ product: await fixture.createProduct(5), quantity: 2 }]);

  test('is rejected with the present status when another change was faster', async () => {
    const { _id } = await placed();
    const answer = await whileWaiting(
      ORDER,
      _id,
      accept(_id),
      `UPDATE orders SET status = 'cancelled', version = version + 1 WHERE id = $1`,
    );
    expect([answer.status, answer.body.message]).toEqual([
      409,
      "Someone was quicker: this order is cancelled now, so it can't become accepted.",
    ]);
  });

  test('does nothing when somebody made the same change', async () => {
    const { _id } = await placed();
    const head = await fixture.head();
    const answer = await whileWaiting(
      ORDER,
      _id,
      accept(_id),
      `UPDATE orders SET status = 'accepted', version = version + 1 WHERE id = $1`,
    );
    expect([answer.status, answer.body.data.status]).toEqual([200, 'accepted']);
    expect(await fixture.eventsAfter(head)).toEqual([]);
  });

  test('is made on the new version when something else of the order changed', async () => {
    const { _id } = await placed();
    const answer = await whileWaiting(
      ORDER,
      _id,
      accept(_id),
      `UPDATE orders SET notes = 'Changed', version = version + 1 WHERE id = $1`,
    );
    expect(answer.body.data).toMatchObject({ status: 'accepted', version: 3, notes: 'Changed' });
  });

  test('returns stock to the present products, and none to a deleted one', async () => {
    for (const change of [
      `UPDATE products SET is_active = false, version = version + 1 WHERE id = $1`,
      `DELETE FROM products WHERE id = $1`,
    ]) {
      const [product, kept] = [await fixture.createProduct(5), await fixture.createProduct(5)];
      const { _id } = await fixture.placeOrder([
        { product, quantity: 2 },
        { product: kept, quantity: 1 },
      ]);
      const head = await fixture.head();
      const answer = await whileWaiting(
        PRODUCT,
        product,
        () => fixture.changeStatus(_id, 'cancelled', fixture.consumer),
        change,
      );
      expect(answer.status).toBe(200);
      expect(await fixture.stockOf(kept)).toBe(5);
      const event = (await fixture.eventsAfter(head)).find(({ data }) => data._id === product);
      if (change.startsWith('DELETE')) expect(event).toBeUndefined();
      else {
        expect(event?.rooms).toEqual([room.farm(fixture.farmer.id), room.admins]);
        expect(event?.data).toMatchObject({ isActive: false, quantityAvailable: 5 });
      }
    }
  });

  test("is rejected when the caller's account is deleted", async () => {
    const buyer = await fixture.join('consumer');
    const order = await fixture.placeOrder(
      [{ product: await fixture.createProduct(5), quantity: 1 }],
      buyer,
    );
    const answer = await whileWaiting(
      PERSON,
      buyer.id,
      () => fixture.changeStatus(order._id, 'cancelled', buyer),
      'UPDATE users SET deleted_at = now() WHERE id = $1',
    );
    expect(answer.status).toBe(401);
  });
});

describe('accounts that are deleted under load', () => {
  test('a farm is deleted while its orders are placed, cancelled and accepted', async () => {
    const farmer = await fixture.join('farmer');
    const products = await Promise.all(
      Array.from({ length: 4 }, () => fixture.createProduct(500, { farmerId: farmer.id })),
    );
    const items = products.map((product) => ({ product, quantity: 1 }));
    const order = () => fixture.order(items, { over: { farmer: farmer.id } });
    const placed = await Promise.all(Array.from({ length: 12 }, order));
    const answers = await Promise.all([
      ...placed.map(({ body }, index) =>
        fixture.changeStatus(body.data._id, index % 2 ? 'cancelled' : 'accepted', fixture.admin),
      ),
      ...Array.from({ length: 6 }, order),
      fixture.call('DELETE', `/users/${farmer.id}`, { as: fixture.admin }),
      ...Array.from({ length: 6 }, order),
    ]);
    for (const { status, body } of answers) {
      expect([200, 201, 404, 409], JSON.stringify(body)).toContain(status);
    }
    const left = await fixture.platform.db.order.groupBy({
      by: ['status'],
      where: { farmerId: farmer.id },
      _count: true,
    });
    expect(left.map(({ status }) => status)).not.toContain('pending');
    expect(await fixture.platform.db.product.count({ where: { farmerId: farmer.id } })).toBe(0);
  });

  test('a thousand pending orders of a deleted consumer are cancelled with stock and events', async () => {
    const buyer = await fixture.join('consumer');
    const [product, other] = [await fixture.createProduct(0), await fixture.createProduct(0)];
    await fixture.platform.pool.query(
      `WITH placed AS (
         INSERT INTO orders (consumer_id, farmer_id, total_minor, is_pickup, date, time)
         SELECT $1, $2, 750, true, current_date + 1, '10:00' FROM generate_series(1, 1000)
         RETURNING id
       ), lines AS (
         INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor,
           quantity_milli)
         SELECT id, position, CASE position WHEN 1 THEN $3::uuid ELSE $4::uuid END, 'Carrots', 'lb', 250,
                position * 1000
         FROM placed CROSS JOIN generate_series(1, 2) position
       )
       INSERT INTO order_timeline (order_id, sequence, version, status, by_id)
       SELECT id, 1, 1, 'pending', $1 FROM placed`,
      [buyer.id, fixture.farmer.id, product, other],
    );
    const head = await fixture.head();
    const answer = await fixture.call('DELETE', `/users/${buyer.id}`, { as: fixture.admin });
    expect(answer.status).toBe(200);
    expect([await fixture.stockOf(product), await fixture.stockOf(other)]).toEqual([1000, 2000]);
    const count = (where: object) => fixture.platform.db.order.count({ where });
    expect(await count({ consumerId: buyer.id, status: 'cancelled', version: 2 })).toBe(1000);
    await fixture.platform.eventLog.sequence();
    const events = await fixture.platform.eventLog.read(head, 5000);
    const updated = events.filter(({ name }) => name === 'order.updated');
    expect(updated).toHaveLength(1000);
    expect(updated[0]?.data).toMatchObject({
      status: 'cancelled',
      change: { kind: 'status', from: 'pending', to: 'cancelled' },
      consumer: { name: 'Deleted user' },
    });
    const levels = events.filter(({ name }) => name === 'product.updated');
    expect(levels.length).toBeLessThan(30);
  });
});

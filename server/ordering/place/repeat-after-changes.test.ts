import { afterAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { type Answer, type Caller, orderInput } from '../../testing/market.ts';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';
import { createSlotFixture, type SlotFixture } from '../testing/slot-fixture.ts';

// The answer to a repeated order is the first one, whatever became of the order since; step by step on one order.

type ChangesFixture = Awaited<ReturnType<typeof createChangesFixture>>;
const [slots, changes] = await Promise.all([createSlotFixture(), createChangesFixture()]);
afterAll(() => Promise.all([slots.close(), changes.close()]));

type Fixture = SlotFixture | ChangesFixture;

/** Does step after step, and sends the same order again after each: it gets the first answer and does nothing. */
async function repeatAfter(
  fixture: Fixture,
  send: () => Promise<Answer>,
  stepsOf: (order: Order) => Record<string, () => Promise<unknown>>,
): Promise<void> {
  const first = await send();
  expect(first.status, JSON.stringify(first.body)).toBe(201);
  const orders = await fixture.platform.db.order.count();
  for (const [what, step] of Object.entries(stepsOf(first.body.data))) {
    await step();
    const head = await fixture.head();
    const again = await send();
    expect([what, again.status]).toEqual([what, 201]);
    expect(JSON.stringify(again.body), what).toBe(JSON.stringify(first.body));
    expect(await fixture.eventsAfter(head), what).toEqual([]);
    expect(await fixture.platform.db.order.count(), what).toBe(orders);
  }
}

const ok = async (answer: Promise<Answer>): Promise<Order> => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
};

/** Lets as much time go by for an order as makes its day yesterday, and its placing nearly a day ago. */
async function sleepOver({ platform }: Fixture, { _id }: Order): Promise<void> {
  const { pool } = platform;
  await pool.query(`UPDATE commands SET created_at = created_at - interval '23 hours'`);
  await pool.query(
    `UPDATE orders SET date = current_date - 1, starts_at = now() - interval '1 day',
       created_at = created_at - interval '23 hours' WHERE id = $1`,
    [_id],
  );
}

test('through a shortage, a new list, weights, packing and the handover', async () => {
  const { farmer, consumer, call, put } = changes;
  const carrots = await changes.createProduct(100);
  const kale = await changes.createProduct(100, { name: 'Kale' });
  const chicken = await changes.createProduct(9, { name: 'Chicken', unit: 'kg', pieceMilli: 2000 });
  const items = [
    { product: carrots, quantity: 10, price: 2.5 },
    { product: kale, quantity: 5, onShort: 'leave_out' },
    { product: chicken, quantity: 1 },
  ];
  const send = () => changes.order(items, { headers: { 'idempotency-key': `bent-${carrots}` } });
  await repeatAfter(changes, send, (order) => {
    const lineOf = (index: number) => order.items[index]?._id;
    let made = order;
    const product = (body: object) => call('PUT', `/products/${carrots}`, { as: farmer, body });
    return {
      'the customer wanted less': () =>
        ok(
          put(`/orders/${order._id}/items`, consumer, {
            items: [
              { product: carrots, quantity: 8 },
              { product: kale, quantity: 5 },
              { product: chicken, quantity: 1 },
            ],
          }),
        ),
      'a shortage was proposed': async () => {
        made = await ok(
          changes.propose(order, [
            { lineId: lineOf(0), action: 'reduce', newQuantity: 4, reason: 'damaged' },
          ]),
        );
      },
      'it was accepted': () => changes.answered(made, ['accept']),
      'a shortage went by the wish': async () => {
        const date = order.pickupDetails?.date;
        const body = { productId: kale, from: date, to: date, available: 1, rule: 'fair' };
        await ok(call('POST', '/farm/shortages', { as: farmer, body }));
      },
      'it was weighed': () =>
        ok(put(`/orders/${order._id}/lines/${lineOf(2)}/weight`, farmer, { packed: 2.2 })),
      'it was packed': () =>
        ok(put(`/orders/${order._id}/packing`, farmer, { packing: 'packed', crates: 2 })),
      'the product got another name': () => ok(product({ name: 'Purple carrots' })),
      'the product was hidden': () => ok(product({ isActive: false })),
      'the product was deleted': () => ok(call('DELETE', `/products/${carrots}`, { as: farmer })),
      'it was handed over': () => ok(changes.changeStatus(order._id, 'completed', farmer)),
      'a day went by': () => sleepOver(changes, order),
    };
  });
});

test('through a cancellation because of a shortage', async () => {
  const carrots = await changes.createProduct(100);
  const send = () =>
    changes.order([{ product: carrots, quantity: 3 }], {
      headers: { 'idempotency-key': `declined-${carrots}` },
    });
  await repeatAfter(changes, send, (order) => ({
    'the customer wanted none of it any more': async () => {
      const items = [{ lineId: order.items[0]?._id, action: 'remove', reason: 'sold_out' }];
      const made = await ok(changes.propose(order, items));
      expect(await ok(changes.answer(made, { cancelOrder: true }))).toMatchObject({
        status: 'cancelled',
      });
    },
    'everything was sold': () =>
      changes.platform.db.product.update({ where: { id: carrots }, data: { stockMilli: 0 } }),
  }));
});

test('through another slot, and the cancellation there', async () => {
  const { farmer, product }: { farmer: Caller; product: string } = await slots.newFarm();
  const [slot, later] = await slots.twoSlots(1);
  const body = orderInput(farmer.id, [{ product, quantity: 1 }], {
    pickupDetails: { slotId: slot._id },
  });
  const headers = { 'idempotency-key': `moved-${product}` };
  const send = () => slots.call('POST', '/orders', { as: slots.consumer, body, headers });
  await repeatAfter(slots, send, (order) => ({
    'it was moved': () => ok(slots.put(`/orders/${order._id}/slot`, farmer, { slotId: later._id })),
    'it was accepted there': () => ok(slots.changeStatus(order._id, 'accepted', farmer)),
    'it was cancelled': () => ok(slots.changeStatus(order._id, 'cancelled', farmer)),
    'a day went by': () => sleepOver(slots, order),
  }));
});

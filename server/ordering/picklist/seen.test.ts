import { afterAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { isPickChange, pickOrderOf } from '#contract/ordering/picklist/pick-summary';
import type { PickChange, Picklist } from '#contract/ordering/picklist/picklist';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';

// What somebody has seen of a pick list stays seen as long as no quantity changes.

let date: string;
const fixture = await createChangesFixture();
const piece = { unit: 'kg', priceMinor: 40_000, pieceMilli: 2000 };
const chicken = await fixture.createProduct(1000, { name: 'Chicken', ...piece });
const eggs = await fixture.createProduct(1000, { name: 'Eggs', unit: 'dozen' });
afterAll(() => fixture.close());

const read = async (): Promise<Picklist> =>
  (await fixture.call('GET', `/farm/picklist?date=${date}`, { as: fixture.farmer })).body.data;

const changesOf = async ({ _id }: Order): Promise<PickChange[]> =>
  (await read()).changes.filter(({ orderId }) => orderId === _id);

/** An accepted order that came after the last print, and that somebody has seen. */
async function seen(): Promise<Order> {
  const first = await fixture.placeOrder([{ product: eggs, quantity: 1 }]);
  date = first.pickupDetails?.date ?? '';
  await fixture.call('POST', '/farm/picklist/prints', { as: fixture.farmer, body: { date } });
  const { _id } = await fixture.placeOrder([
    { product: chicken, quantity: 1 },
    { product: eggs, quantity: 2 },
  ]);
  const order: Order = (await fixture.changeStatus(_id, 'accepted', fixture.farmer)).body.data;
  const changes = (await changesOf(order)).map(({ orderId, sequence }) => ({ orderId, sequence }));
  expect(changes).toHaveLength(2);
  await fixture.put('/farm/picklist/seen', fixture.farmer, { date, changes });
  expect(await isSeen(order)).toBe(true);
  return order;
}

const isSeen = async (order: Order): Promise<boolean> =>
  (await changesOf(order)).every((change) => change.seen !== undefined);

/** Expects that a browser comes to the same from the order as the server does from its rows. */
async function expectSame(order: Order): Promise<void> {
  const listed = (await read()).orders.find(({ _id }) => _id === order._id);
  expect(pickOrderOf(order).changed).toEqual(listed?.changed);
}

const lineOf = (order: Order, index = 0) => order.items[index]?._id ?? '';

test('a wish for a shortage reopens nothing', async () => {
  const order = await seen();
  const path = `/orders/${order._id}/lines/${lineOf(order, 1)}/preference`;
  const { body } = await fixture.put(path, fixture.consumer, { onShort: 'leave_out' });
  expect(body.data.timeline.at(-1)).toMatchObject({ kind: 'lines', detail: { cause: 'wish' } });
  expect(isPickChange(body.data)).toBe(false);
  expect(await isSeen(order)).toBe(true);
  await expectSame(body.data);
});

test.each(['keep_limit', 'accept'])(
  'an answer of %s to a weight reopens nothing',
  async (answer) => {
    const order = await seen();
    const path = `/orders/${order._id}/lines/${lineOf(order)}/weight`;
    const weight = { packed: 2.6, overweight: 'ask' };
    const asked: Order = (await fixture.put(path, fixture.farmer, weight)).body.data;
    expect(await isSeen(order)).toBe(true);
    const after = await fixture.answered(asked, [answer]);
    expect(isPickChange(after)).toBe(false);
    expect(await isSeen(order)).toBe(true);
    await expectSame(after);
  },
);

test('goods that go are to be seen again, no matter who takes them out', async () => {
  const proposed = await seen();
  const items = [{ lineId: lineOf(proposed, 1), action: 'remove', reason: 'damaged' }];
  const { body } = await fixture.propose(proposed, items);
  expect(isPickChange(body.data)).toBe(false);
  expect(await isSeen(proposed)).toBe(true);
  const after = await fixture.answered(body.data, ['accept']);
  expect(isPickChange(after)).toBe(true);
  expect(await isSeen(proposed)).toBe(false);
  await expectSame(after);

  const changed = await seen();
  const list = { items: [{ product: eggs, quantity: 1 }] };
  const answer = await fixture.put(`/orders/${changed._id}/items`, fixture.consumer, list);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(isPickChange(answer.body.data)).toBe(true);
  expect(await isSeen(changed)).toBe(false);
  await expectSame(answer.body.data);
});

test('what is done by a wish counts, even with a question beside it', async () => {
  const order = await seen();
  const path = `/orders/${order._id}/lines/${lineOf(order, 1)}/preference`;
  const preferred = (await fixture.put(path, fixture.consumer, { onShort: 'leave_out' })).body.data;
  const { body } = await fixture.propose(preferred, [
    { lineId: lineOf(order, 1), action: 'reduce', newQuantity: 1, reason: 'damaged' },
    { lineId: lineOf(order), action: 'remove', reason: 'damaged' },
  ]);
  expect(body.data.openChange.items).toHaveLength(1);
  expect(isPickChange(body.data)).toBe(true);
  expect(await isSeen(order)).toBe(false);
  await expectSame(body.data);
});

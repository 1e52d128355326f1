import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { ShortageOutcome } from '#contract/ordering/changes/order-changes';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { ALWAYS_MILLI, toSizesRow } from '../../catalogue/products/sizes.ts';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';
import { createSized, placeSized, sizeOf } from '../testing/sizes.ts';

// A shortage of what is sold in sizes from one stock.

const fixture = await createChangesFixture();
const { farmer } = fixture;
afterAll(() => fixture.close());

const DAY = addDays(dayIn('UTC'), 1);
const [one, five] = [sizeOf(1), sizeOf(5)];

const share = (product: string, over: object = {}, query = '') =>
  fixture.call('POST', `/farm/shortages${query}`, {
    as: farmer,
    body: { productId: product, from: DAY, to: DAY, available: 12, rule: 'fair', ...over },
  });

const sharesOf = (outcomes: ShortageOutcome[]) =>
  outcomes.map(({ size, quantity, share: gets, outcome }) => [
    size?.label ?? 'kg',
    quantity,
    gets,
    outcome,
  ]);

const read = (_id: string): Promise<Order> => fixture.read({ _id });

/** 3 × 1 kg and 1 × 5 kg in one order, 1 × 5 kg in another, and 2 kg in one from before sizes: 15 kg. */
async function threeOrders() {
  const product = await createSized(fixture, 0, [one, five]);
  const both = await placeSized(fixture, [
    { product, size: one, quantity: 3 },
    { product, size: five, quantity: 1 },
  ]);
  const large = await placeSized(fixture, [{ product, size: five, quantity: 1 }]);
  const loose = await placeSized(fixture, [{ product, quantity: 2 }]);
  return { product, both, large, loose };
}

const FAIR = [
  ['1 kg', 3, 3, 'unchanged'],
  ['5 kg', 1, 1, 'unchanged'],
  ['5 kg', 1, 0, 'proposed'],
  ['kg', 2, 2, 'unchanged'],
];

test('each line gets whole pieces, what fits nowhere is shown and stays in stock, once', async () => {
  const { product, both, large } = await threeOrders();
  const preview = await share(product, {}, '?preview=true');
  expect(preview.body.data).toMatchObject({ ordered: 15, left: 2 });
  expect(sharesOf(preview.body.data.outcomes)).toEqual(FAIR);
  expect(await fixture.stockOf(product)).toBe(0);

  const batchId = randomUUID();
  const { body } = await share(product, { batchId });
  expect(body.data).toMatchObject({ batchId, ordered: 15, left: 2 });
  expect(sharesOf(body.data.outcomes)).toEqual(FAIR);
  expect(await fixture.stockOf(product)).toBe(2);
  expect((await read(both)).openChange).toBeNull();
  expect((await read(large)).openChange?.items).toMatchObject([{ action: 'remove' }]);

  const again = await share(product, { batchId, available: 1 });
  expect(again.body.data).toEqual(body.data);
  expect(await fixture.stockOf(product)).toBe(2);
  const progress = await fixture.call('GET', `/farm/shortages/${batchId}`, { as: farmer });
  expect(progress.body.data).toMatchObject({ done: 3, total: 3, isFinished: true });
});

test('several lines of one order are one proposal, and what its consumer wished is applied', async () => {
  const product = await createSized(fixture, 0, [one, five]);
  const order = await placeSized(fixture, [
    { product, size: one, quantity: 4 },
    { product, size: five, quantity: 2 },
    { product, size: sizeOf(2), quantity: 1, over: { onShort: 'leave_out' } },
  ]);
  const batchId = randomUUID();
  const { body } = await share(product, { batchId, available: 8 });
  const outcomes = [
    ['1 kg', 4, 3, 'proposed'],
    ['5 kg', 2, 1, 'proposed'],
    ['2 kg', 1, 0, 'applied'],
  ];
  expect(sharesOf(body.data.outcomes)).toEqual(outcomes);
  const changed = await read(order);
  expect(changed.changes).toHaveLength(1);
  expect(changed.openChange?.items).toMatchObject([
    { action: 'reduce', newQuantity: 3 },
    { action: 'reduce', newQuantity: 1 },
  ]);
  expect(changed.items.map(({ quantity }) => quantity)).toEqual([4, 2, 0]);
  expect(sharesOf((await share(product, { batchId })).body.data.outcomes)).toEqual(outcomes);

  const scarce = await share(product, { available: 3 }, '?preview=true');
  expect(scarce.body.data.outcomes[0]).toMatchObject({ outcome: 'skipped', code: 'OPEN_CHANGE' });
});

test('two lines that are short are asked about together', async () => {
  const product = await createSized(fixture, 0, [one, five]);
  const order = await placeSized(fixture, [
    { product, size: one, quantity: 4 },
    { product, size: five, quantity: 2 },
  ]);
  const { body } = await share(product, { available: 2 });
  expect(sharesOf(body.data.outcomes)).toEqual([
    ['1 kg', 4, 2, 'proposed'],
    ['5 kg', 2, 0, 'proposed'],
  ]);
  const { openChange, changes } = await read(order);
  expect(changes).toHaveLength(1);
  expect(openChange?.items).toMatchObject([
    { action: 'reduce', newQuantity: 2 },
    { action: 'remove' },
  ]);
});

test('by hand a line gets whole pieces, and is named where its order has several', async () => {
  const { product, both, large } = await threeOrders();
  const [small, big] = (await read(both)).items.map(({ _id }) => _id);
  const byHand = (...shares: object[]) => share(product, { rule: 'manual', shares, available: 9 });
  const path = async (...shares: object[]) => {
    const { status, body } = await byHand(...shares);
    expect(status).toBe(400);
    return body.errors[0].path;
  };
  expect(await path({ orderId: both, quantity: 1 })).toBe('shares.0.lineId');
  expect(await path({ orderId: both, lineId: randomUUID(), quantity: 1 })).toBe('shares.0.lineId');
  expect(await path({ orderId: both, lineId: small, quantity: 1.5 })).toBe('shares.0.quantity');
  expect(await path({ orderId: both, lineId: small, quantity: 4 })).toBe('shares.0.quantity');
  expect(await path({ orderId: both, lineId: small, quantity: 1 })).toBe('shares');
  const [line] = (await read(large)).items;
  const twice = [
    { orderId: large, quantity: 1 },
    { orderId: large, lineId: line?._id, quantity: 1 },
  ];
  expect(await path(...twice)).toBe('shares.1.orderId');
  const { body } = await byHand(
    { orderId: both, lineId: small, quantity: 1 },
    { orderId: both, lineId: big, quantity: 0 },
    { orderId: large, quantity: 1 },
  );
  expect(body.data).toMatchObject({ ordered: 15, left: 1 });
  expect(sharesOf(body.data.outcomes)).toEqual([
    ['1 kg', 3, 1, 'proposed'],
    ['5 kg', 1, 0, 'proposed'],
    ['5 kg', 1, 1, 'unchanged'],
    ['kg', 2, 2, 'unchanged'],
  ]);
});

test('what goes back anyway goes back once, and what is not short stays as it is', async () => {
  const { product, large } = await threeOrders();
  await share(product, { reason: 'quality' });
  expect(await fixture.stockOf(product)).toBe(0);
  const { openChange } = await read(large);
  await fixture.platform.db.orderProposal.deleteMany({ where: { id: openChange?._id ?? '' } });

  const enough = await share(product, { available: 40 });
  expect(enough.body.data).toMatchObject({ ordered: 15, left: 25 });
  expect(await fixture.stockOf(product)).toBe(0);
  await share(product, { emptiesShelf: true });
  expect(await fixture.stockOf(product)).toBe(0);
});

test('orders share what is always available, and its stock stays as it is', async () => {
  const product = await createSized(fixture, 0, [one, five], {
    isAlways: true,
    stockMilli: ALWAYS_MILLI,
  });
  await placeSized(fixture, [{ product, size: five, quantity: 3 }]);
  const head = await fixture.head();
  const { body } = await share(product, { emptiesShelf: true });
  expect(body.data.left).toBe(2);
  expect(sharesOf(body.data.outcomes)).toEqual([['5 kg', 3, 2, 'proposed']]);
  await share(product);
  expect(await fixture.stockOf(product)).toBe(1_000_000);
  const events = await fixture.eventsAfter(head);
  expect(events.map(({ name }) => name)).not.toContain('product.updated');
});

test('a size that does not convert is no part of it', async () => {
  const product = await createSized(fixture, 0, [one, five]);
  await placeSized(fixture, [
    { product, size: five, quantity: 2, over: { unit: 'bunch' } },
    { product, size: one, quantity: 2 },
  ]);
  const { body } = await share(product, { available: 1 });
  expect(body.data.ordered).toBe(2);
  expect(body.data.outcomes).toMatchObject([
    {
      quantity: 0,
      outcome: 'skipped',
      code: 'OTHER_UNIT',
      message:
        'It has 2 × 5 kg of Carrots, which you sell by another unit now. Propose a change of this order by hand.',
    },
    { quantity: 2, share: 1, outcome: 'proposed' },
  ]);
});

test('what was ordered in the unit stays in whole ones once it is sold in sizes', async () => {
  const product = await fixture.createProduct(20, { unit: 'each' });
  const order = await fixture.placeOrder([{ product, quantity: 3 }]);
  const half = await fixture.createProduct(20, { unit: 'kg', stepMilli: 500 });
  await fixture.placeOrder([{ product, quantity: 3 }]);
  const loose = await fixture.placeOrder([{ product: half, quantity: 2.5 }]);
  await fixture.changeProduct(product, toSizesRow([sizeOf(6), sizeOf(10)]));
  await fixture.changeProduct(half, toSizesRow([one, five]));
  const outcomesOf = async (rule: string) =>
    sharesOf((await share(product, { available: 4.5, rule }, '?preview=true')).body.data.outcomes);
  expect(await outcomesOf('fair')).toEqual([
    ['kg', 3, 2, 'proposed'],
    ['kg', 3, 2, 'proposed'],
  ]);
  expect(await outcomesOf('first_come')).toEqual([
    ['kg', 3, 3, 'unchanged'],
    ['kg', 3, 1, 'proposed'],
  ]);
  const byHand = async (quantity: number, over: object) => {
    const shares = [{ quantity, ...over }];
    const { body } = await share(product, { rule: 'manual', available: 20, shares, ...over });
    return body.errors;
  };
  expect(await byHand(1.5, { orderId: order._id })).toMatchObject([
    { path: 'shares.0.quantity', message: 'Enter a whole number.' },
  ]);
  expect(await byHand(1.3, { orderId: loose._id, productId: half })).toMatchObject([
    { path: 'shares.0.quantity', message: 'Enter a multiple of 0.5 kg.' },
  ]);
  const reduce = ({ _id, items }: Order, newQuantity: number) =>
    fixture.propose({ _id }, [
      { lineId: items[0]?._id, action: 'reduce', newQuantity, reason: 'sold_out' },
    ]);
  const refused = await reduce(order, 1.5);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'Carrots is sold in whole numbers.',
  ]);
  expect((await reduce(order, 2)).status).toBe(201);
  expect((await reduce(loose, 1.3)).status).toBe(400);
  expect((await reduce(loose, 1.5)).status).toBe(201);
});

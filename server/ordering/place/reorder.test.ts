import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Order, ReorderItem } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { ALWAYS_MILLI, toSizesRow } from '../../catalogue/products/sizes.ts';
import type { Caller } from '../../testing/market.ts';
import { createOrderFixture, sizeRows } from '../testing/fixture.ts';

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

const ask = (id: string, as: Caller | undefined = fixture.consumer) =>
  fixture.call('POST', `/orders/${id}/again`, { as });

async function again(order: Order, as?: Caller): Promise<ReorderItem[]> {
  const { status, body } = await ask(order._id, as);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.items;
}

/** Orders four of each product, of which there are ten. */
async function ordered(...names: string[]): Promise<{ order: Order; products: string[] }> {
  const products = await Promise.all(names.map((name) => fixture.createProduct(10, { name })));
  const order = await fixture.placeOrder(products.map((product) => ({ product, quantity: 4 })));
  return { order, products };
}
const change = (id: string | undefined, data: Record<string, unknown>) =>
  fixture.platform.db.product.update({ where: { id: id ?? '' }, data });
const outcomes = (items: ReorderItem[]) =>
  items.map(({ product, quantity, outcome }) => `${quantity} ${product.name}: ${outcome}`);

describe('ordering again', () => {
  test('gives everything in its order, in the form the cart needs, at any stage of the order', async () => {
    const { order, products } = await ordered('Plums', 'Pears');
    const expected = ['4 Plums: added', '4 Pears: added'];
    const items = await again(order);
    expect(outcomes(items)).toEqual(expected);
    expect(items[0]).toEqual({
      product: {
        _id: products[0],
        name: 'Plums',
        unit: 'lb',
        images: [],
        price: 2.5,
        availability: 'counted',
        quantityAvailable: 6,
        farmer: {
          _id: fixture.farmer.id,
          name: order.farmer.name,
          farmName: order.farmer.farmName,
        },
      },
      quantity: 4,
      orderedQuantity: 4,
      orderedPrice: 2.5,
      outcome: 'added',
    });
    for (const status of ['accepted', 'completed']) {
      await fixture.changeStatus(order._id, status, fixture.farmer);
      expect(outcomes(await again(order))).toEqual(expected);
    }
  });

  test('writes nothing, reserves nothing and notifies nobody, however often', async () => {
    const { order, products } = await ordered('Figs');
    const before = await fixture.head();
    for (let time = 0; time < 3; time++) expect(await again(order)).toHaveLength(1);
    expect(await fixture.stockOf(products[0] ?? '')).toBe(6);
    expect(await fixture.eventsAfter(before)).toEqual([]);
    const placed = await fixture.platform.db.order.count({
      where: { consumerId: fixture.consumer.id },
    });
    await again(order);
    expect(
      await fixture.platform.db.order.count({ where: { consumerId: fixture.consumer.id } }),
    ).toBe(placed);
  });

  test('says what changed about each line', async () => {
    const { order, products } = await ordered('Same', 'Few', 'Dear', 'Both', 'Cheap');
    await change(products[1], { stockMilli: 3000 });
    await change(products[2], { priceMinor: 300, name: 'Dearer' });
    await change(products[3], { stockMilli: 1000, priceMinor: 300 });
    await change(products[4], { priceMinor: 200 });
    const items = await again(order);
    expect(outcomes(items)).toEqual([
      '4 Same: added',
      '3 Few: fewer',
      '4 Dearer: price_changed',
      '1 Both: fewer',
      '4 Cheap: price_changed',
    ]);
    expect(items.map(({ orderedPrice, product }) => [orderedPrice, product.price])).toEqual([
      [2.5, 2.5],
      [2.5, 2.5],
      [2.5, 3],
      [2.5, 3],
      [2.5, 2],
    ]);
  });

  test('says what is sold otherwise now, and how it was', async () => {
    const { order, products } = await ordered('Unit', 'Piece', 'Short', 'Same');
    await change(products[0], { unit: 'kg' });
    await change(products[1], { pieceMilli: 2000 });
    await change(products[2], { unit: 'kg', stockMilli: 1000 });
    const items = await again(order);
    expect(outcomes(items)).toEqual([
      // 4 lb are 1.814 kg, and it is sold by the whole kg.
      '1 Unit: quantity_changed',
      '2 Piece: price_changed',
      '1 Short: fewer',
      '4 Same: added',
    ]);
    const lb = { quantity: 4, unit: 'lb' };
    expect(items.map(({ orderedAs }) => orderedAs)).toEqual([lb, lb, lb, undefined]);
    expect(items[1]).toMatchObject({
      orderedQuantity: 2,
      product: { pieceWeight: { average: 2 } },
    });
    // What is gone is as it was ordered.
    await change(products[0], { isActive: false });
    expect((await again(order))[0]).not.toHaveProperty('orderedAs');
  });

  test('says what pieces weigh by now, and what is no longer sold by the piece', async () => {
    const product = await fixture.createProduct(10, { name: 'Hen' });
    await change(product, { pieceMilli: 1800 });
    const order = await fixture.placeOrder([{ product, quantity: 2 }]);
    expect(outcomes(await again(order))).toEqual(['2 Hen: added']);
    const orderedAs = { quantity: 2, unit: 'lb', pieceWeight: { average: 1.8 } };
    await change(product, { pieceMilli: 2000 });
    expect(await again(order)).toMatchObject([
      { quantity: 2, orderedQuantity: 2, outcome: 'price_changed', orderedAs },
    ]);
    await change(product, { pieceMilli: null, stepMilli: 100 });
    expect(await again(order)).toMatchObject([
      { quantity: 3.6, orderedQuantity: 3.6, outcome: 'price_changed', orderedAs },
    ]);
  });

  test('asks for each size once, of what is left together', async () => {
    const rows = sizeRows([1, 2, 5]);
    const { product, sizes } = await fixture.createSized(20, rows);
    const [one, two, five] = sizes;
    const order = await fixture.placeOrder([
      { product, size: five, quantity: 2 },
      { product, size: one, quantity: 3 },
      { product, size: two, quantity: 1 },
    ]);
    const bySize = async () =>
      (await again(order)).map(
        ({ size, quantity, outcome }) => `${quantity} × ${size?.label}: ${outcome}`,
      );
    // Of 20 kg there are 5.
    expect(await bySize()).toEqual(['1 × 5 kg: fewer', '0 × 1 kg: gone', '0 × 2 kg: gone']);
    await change(product, { stockMilli: 12_999 });
    expect(await bySize()).toEqual(['2 × 5 kg: added', '2 × 1 kg: fewer', '0 × 2 kg: gone']);

    // A size that is off, one that is gone, and one that is dearer.
    const others = rows
      .filter(({ id }) => id !== two)
      .map((row) => (row.id === five ? { ...row, isActive: false } : { ...row, priceMinor: 150 }));
    await change(product, toSizesRow(others));
    expect(await bySize()).toEqual(['0 × 5 kg: gone', '3 × 1 kg: price_changed', '0 × 2 kg: gone']);
    const [gone] = await again(order);
    expect(gone).toMatchObject({
      size: { _id: five, label: '5 kg', content: 5 },
      quantity: 0,
      orderedQuantity: 2,
      orderedPrice: 5,
      product: { _id: product, price: 1.5, quantityAvailable: 12.999 },
    });
    expect(gone?.product.sizes?.map(({ label, isActive }) => [label, isActive])).toEqual([
      ['1 kg', true],
      ['5 kg', false],
    ]);

    // Another content is another price.
    await change(product, toSizesRow(rows.map((row) => ({ ...row, contentMilli: 2500 }))));
    expect(await bySize()).toEqual([
      '2 × 5 kg: price_changed',
      '3 × 1 kg: price_changed',
      '0 × 2 kg: gone',
    ]);
    await change(product, { sizes: [], stepMilli: null, minimumMilli: null });
    expect(await bySize()).toEqual(['0 × 5 kg: gone', '0 × 1 kg: gone', '0 × 2 kg: gone']);
    expect((await again(order))[0]?.product).not.toHaveProperty('sizes');
    await change(product, { isActive: false });
    expect((await again(order))[0]).toMatchObject({ product: { price: 5 }, size: { _id: five } });
  });

  test('asks for a size of what had none', async () => {
    const product = await fixture.createProduct(20, { unit: 'kg' });
    const order = await fixture.placeOrder([{ product, quantity: 2 }]);
    await change(product, toSizesRow(sizeRows([1, 5])));
    const [item] = await again(order);
    expect(item).toMatchObject({ quantity: 0, orderedQuantity: 2, outcome: 'gone' });
    expect(item?.product.sizes).toHaveLength(2);
    expect(item).not.toHaveProperty('size');
  });

  test('gives what is always available as it was, up to the most of an order', async () => {
    const { product, sizes } = await fixture.createSized(0, undefined, {
      isAlways: true,
      stockMilli: ALWAYS_MILLI,
    });
    const order = await fixture.placeOrder([{ product, size: sizes[2], quantity: 4 }]);
    const [item] = await again(order);
    expect(item).toMatchObject({ quantity: 4, outcome: 'added' });
    expect(item?.product).toMatchObject({ availability: 'always', quantityAvailable: 1_000_000 });
    await change(product, { maxOrderMilli: 12_000 });
    expect(await again(order)).toMatchObject([{ quantity: 2, outcome: 'fewer' }]);
  });

  test('says what is gone: sold out, hidden, past its last day, deleted', async () => {
    const { order, products } = await ordered('Empty', 'Hidden', 'Late', 'Deleted', 'Here');
    const day = (days: number) => new Date(Date.now() + days * 86_400_000);
    await change(products[0], { stockMilli: 0 });
    await change(products[1], { isActive: false });
    await change(products[2], { availableUntil: day(-2) });
    await fixture.call('DELETE', `/products/${products[3]}`, { as: fixture.farmer });
    await change(products[4], { availableUntil: day(2) });
    const items = await again(order);
    expect(outcomes(items)).toEqual([
      '0 Empty: gone',
      '0 Hidden: gone',
      '0 Late: gone',
      '0 Deleted: gone',
      '4 Here: added',
    ]);
    expect(items[3]?.product).toMatchObject({ _id: null, price: 2.5, quantityAvailable: 0 });
    // What is hidden from consumers stays so.
    await change(products[1], { name: 'Secret', priceMinor: 999 });
    expect((await again(order))[1]?.product).toMatchObject({ name: 'Hidden', price: 2.5 });
  });

  test('says that all is gone with its farm', async () => {
    const farmer = await fixture.join('farmer', 'Gone Grower');
    const product = await fixture.createProduct(10, { farmerId: farmer.id, name: 'Kale' });
    const placed = await fixture.call('POST', '/orders', {
      as: fixture.consumer,
      body: {
        farmer: farmer.id,
        items: [{ product, quantity: 2 }],
        pickupDetails: { date: addDays(dayIn('UTC'), 40), time: '10:00', location: 'Gate' },
      },
    });
    expect(placed.status).toBe(201);
    await fixture.call('DELETE', `/users/${farmer.id}`, { as: fixture.admin });
    const [item] = await again(placed.body.data);
    expect(item).toMatchObject({ outcome: 'gone', quantity: 0, product: { name: 'Kale' } });
    expect(JSON.stringify(item)).not.toContain('Gone Grower');
  });

  test('takes an id in upper case', async () => {
    const { order } = await ordered('Leeks');
    expect((await ask(order._id.toUpperCase())).body).toEqual((await ask(order._id)).body);
  });

  test('is for the consumer of the order alone', async () => {
    const { order } = await ordered('Beans');
    const other = await fixture.join('consumer');
    expect((await ask(order._id, other)).status).toBe(404);
    expect((await ask(order._id, fixture.farmer)).status).toBe(403);
    expect((await ask(order._id, fixture.admin)).status).toBe(403);
    expect((await fixture.call('POST', `/orders/${order._id}/again`)).status).toBe(401);
    expect((await ask(randomUUID())).body.message).toBe('Order not found');
    expect((await ask('nothing')).status).toBe(404);
  });
});

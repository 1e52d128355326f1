import { afterAll, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { ALWAYS_MILLI, toSizesRow } from '../../catalogue/products/sizes.ts';
import { sizeRows } from '../testing/fixture.ts';
import { createChangesFixture } from './testing/changes-fixture.ts';

// Lines of sizes and of what is always available, as consumers and farms change them.

const fixture = await createChangesFixture();
const { consumer, farmer } = fixture;
afterAll(() => fixture.close());

type Wanted = [size: string | undefined, quantity: number, over?: object];

const change = (order: Order, product: string, items: Wanted[]) =>
  fixture.put(`/orders/${order._id}/items`, consumer, {
    items: items.map(([size, quantity, over]) => ({ product, size, quantity, ...over })),
  });

const linesOf = ({ items }: Order) =>
  items.map(({ size, quantity, price }) => [size?.label, quantity, price]);

/** Orders two of 5 kg and three of 1 kg, of 20. */
async function ordered() {
  const rows = sizeRows([1, 2, 5]);
  const { product, sizes } = await fixture.createSized(20, rows);
  const order = await fixture.placeOrder([
    { product, size: sizes[2], quantity: 2 },
    { product, size: sizes[0], quantity: 3 },
  ]);
  const [one, two, five] = sizes;
  return { product, order, rows, one, two, five };
}

describe('a new list of sizes', () => {
  test('changes each size for itself, and takes again what another one gave back', async () => {
    const { product, order, one, two, five } = await ordered();
    const { status, body } = await change(order, product, [
      [one, 8],
      [five, 1],
      [two, 3],
    ]);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(linesOf(body.data)).toEqual([
      ['5 kg', 1, 5],
      ['1 kg', 8, 1],
      ['2 kg', 3, 2],
    ]);
    expect(await fixture.stockOf(product)).toBe(1);
    // All that is there goes to whom it fits.
    const more = await change(order, product, [
      [one, 9],
      [five, 2],
      [two, 3],
    ]);
    expect([more.status, more.body.problems]).toEqual([
      409,
      [{ line: 1, code: 'OUT_OF_STOCK', left: 0 }],
    ]);
    const fewer = await change(order, product, [[two, 3]]);
    expect(fewer.status, JSON.stringify(fewer.body)).toBe(200);
    expect(await fixture.stockOf(product)).toBe(14);
  });

  test('takes a product and size once, in whole pieces', async () => {
    const { product, order, one, five } = await ordered();
    const twice = await change(order, product, [
      [one, 1],
      [one, 2],
    ]);
    expect(twice.status).toBe(400);
    const half = await change(order, product, [
      [one, 2.5],
      [five, 2],
    ]);
    expect([half.status, half.body.code]).toEqual([400, 'QUANTITY_NOT_OFFERED']);
  });

  test('a size that is off or gone stays or gets less, and not more', async () => {
    const { product, order, rows, one, five } = await ordered();
    const off = rows.map((row) => (row.id === five ? { ...row, isActive: false } : row));
    for (const sizes of [off, off.filter(({ id }) => id !== five)]) {
      await fixture.changeProduct(product, toSizesRow(sizes));
      const same = await change(order, product, [
        [five, 2],
        [one, 3],
      ]);
      expect(same.status, JSON.stringify(same.body)).toBe(200);
      const more = await change(order, product, [
        [five, 3],
        [one, 3],
      ]);
      expect([more.status, more.body.code]).toEqual([409, 'SIZE_UNAVAILABLE']);
    }
    const half = await change(order, product, [[five, 0.5]]);
    expect(half.body.code).toBe('QUANTITY_NOT_OFFERED');
    const fewer = await change(order, product, [[five, 1]]);
    expect(fewer.status, JSON.stringify(fewer.body)).toBe(200);
    expect(await fixture.stockOf(product)).toBe(15);
  });

  test('a size of another content gets less of what was ordered, and no more', async () => {
    const { product, order, rows, one, five } = await ordered();
    const larger = rows.map((row) => (row.id === five ? { ...row, contentMilli: 6000 } : row));
    await fixture.changeProduct(product, toSizesRow(larger));
    const more = await change(order, product, [
      [five, 3],
      [one, 3],
    ]);
    expect([more.status, more.body.code]).toEqual([409, 'PRICE_CHANGED']);
    const fewer = await change(order, product, [
      [five, 1],
      [one, 3],
    ]);
    expect(fewer.status, JSON.stringify(fewer.body)).toBe(200);
    expect(await fixture.stockOf(product)).toBe(12);
  });

  test('what was ordered before there were sizes gets less, and more only in a size', async () => {
    const product = await fixture.createProduct(20, { unit: 'kg' });
    const order = await fixture.placeOrder([{ product, quantity: 6 }]);
    const rows = sizeRows([1, 5]);
    await fixture.changeProduct(product, toSizesRow(rows));
    const more = await change(order, product, [[undefined, 7]]);
    expect([more.status, more.body.code]).toEqual([400, 'SIZE_REQUIRED']);
    const { status, body } = await change(order, product, [
      [undefined, 4],
      [rows[1]?.id, 1],
    ]);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(linesOf(body.data)).toEqual([
      [undefined, 4, 2.5],
      ['5 kg', 1, 5],
    ]);
    expect(await fixture.stockOf(product)).toBe(11);
  });

  test('of what is always available takes nothing, up to the most of an order', async () => {
    const rows = sizeRows([1, 5]);
    const { product } = await fixture.createSized(0, rows, {
      isAlways: true,
      stockMilli: ALWAYS_MILLI,
      maxOrderMilli: 20_000,
    });
    const [one, five] = rows.map(({ id }) => id);
    const order = await fixture.placeOrder([{ product, size: five, quantity: 3 }]);
    const over = await change(order, product, [
      [five, 3],
      [one, 6],
    ]);
    expect([over.status, over.body.problems]).toEqual([
      409,
      [{ line: 1, code: 'OVER_MAXIMUM', most: 5 }],
    ]);
    const { status } = await change(order, product, [
      [one, 10],
      [five, 2],
    ]);
    expect(status).toBe(200);
    // Of counted goods a line is of its own, so that each gives back what it took.
    await fixture.changeProduct(product, {
      isAlways: false,
      maxOrderMilli: null,
      stockMilli: 9000,
    });
    const more = await change(order, product, [
      [one, 12],
      [five, 2],
    ]);
    expect(linesOf(more.body.data)).toEqual([
      ['5 kg', 2, 5],
      ['1 kg', 10, 1],
      ['1 kg', 2, 1],
    ]);
    expect(await fixture.stockOf(product)).toBe(7);
    await fixture.changeStatus(order._id, 'cancelled', consumer);
    expect(await fixture.stockOf(product)).toBe(9);
  });

  test('a wish is of one size', async () => {
    const { product, order, one, five } = await ordered();
    const { body } = await change(order, product, [
      [one, 3, { onShort: 'leave_out' }],
      [five, 2],
    ]);
    expect(body.data.items.map(({ onShort }: { onShort: string }) => onShort)).toEqual([
      'ask',
      'leave_out',
    ]);
  });
});

describe('a proposal', () => {
  const lineOf = (order: Order, index: number) => order.items[index]?._id;
  const instead = (order: Order, productId: string, size: string | undefined, quantity: number) => [
    {
      lineId: lineOf(order, 0),
      action: 'substitute',
      reason: 'sold_out',
      substitute: { productId, size, quantity },
    },
  ];

  test('holds back what its size contains, and copies the size', async () => {
    const { order, product } = await ordered();
    const beets = await fixture.createSized(20);
    const made = await fixture.propose(order, instead(order, beets.product, beets.sizes[1], 4));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.data.openChange.items).toMatchObject([
      {
        size: { label: '5 kg' },
        substitute: { size: { _id: beets.sizes[1], label: '2 kg', content: 2 }, price: 2 },
        totalAfter: 8,
      },
    ]);
    expect(await fixture.stockOf(beets.product)).toBe(12);
    // Its size may be gone when it is answered.
    await fixture.changeProduct(beets.product, toSizesRow(sizeRows([7])));
    const accepted = await fixture.answered(made.body.data, ['accept']);
    expect(linesOf(accepted)).toEqual([
      ['5 kg', 0, 5],
      ['1 kg', 3, 1],
      ['2 kg', 4, 2],
    ]);
    await fixture.changeStatus(order._id, 'cancelled', farmer);
    expect(await fixture.stocksOf([product, beets.product])).toEqual([10, 20]);
  });

  test.each([
    ['no size', 400, 'Carrots is sold in sizes. Choose one.'],
    ['a size that is off', 400, 'You do not sell Carrots in this size. Choose another one.'],
    ['half a piece', 400, 'You sell Carrots (1 kg) in whole numbers.'],
    ['more pieces than there are', 409, 'Only 20 of Carrots (1 kg) left.'],
  ])('of %s is refused', async (kind, status, message) => {
    const { order } = await ordered();
    const rows = sizeRows([1, 2]).map((row, index) => ({ ...row, isActive: index === 0 }));
    const { product, sizes } = await fixture.createSized(20, rows);
    const [size, quantity] = {
      'no size': [undefined, 1] as const,
      'a size that is off': [sizes[1], 1] as const,
      'half a piece': [sizes[0], 1.5] as const,
      'more pieces than there are': [sizes[0], 21] as const,
    }[kind] ?? [undefined, 0];
    const answer = await fixture.propose(order, instead(order, product, size, quantity));
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });

  test('of what is always available holds nothing back', async () => {
    const { order } = await ordered();
    const milk = await fixture.createProduct(0, { isAlways: true, stockMilli: ALWAYS_MILLI });
    const made = await fixture.propose(order, instead(order, milk, undefined, 5));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await fixture.changeProduct(milk, { isAlways: false, stockMilli: 1000 });
    await fixture.answered(made.body.data, ['leave_out']);
    expect(await fixture.stockOf(milk)).toBe(1);
  });

  test('takes whole pieces off a line, which go back as what they contain', async () => {
    const { order, product } = await ordered();
    const less = (newQuantity: number) =>
      fixture.propose(order, [
        { lineId: lineOf(order, 0), action: 'reduce', newQuantity, reason: 'other' },
      ]);
    const half = await less(0.5);
    expect(half.body.message).toBe('Carrots (5 kg) is sold in whole pieces.');
    expect((await less(2)).body.message).toBe('Enter less than 2 of Carrots (5 kg).');
    const made = await less(1);
    await fixture.answered(made.body.data, ['accept']);
    expect(await fixture.stockOf(product)).toBe(12);
  });

  test('of an older server, which knew no sizes, ends as it was meant', async () => {
    for (const answer of ['accept', 'leave_out']) {
      const { order, beets, kale } = await fixture.ordered();
      const made = await fixture.propose(order, instead(order, beets, undefined, 2));
      await fixture.platform.pool.query(
        `UPDATE order_proposals SET items = (
           SELECT jsonb_agg(jsonb_set(item, '{substitute}', (item -> 'substitute') - $2::text[]))
           FROM jsonb_array_elements(items) AS item)
         WHERE order_id = $1`,
        [
          order._id,
          ['sizeId', 'sizeLabel', 'contentMilli', 'unitLabel', 'netMilli', 'netUnit', 'takesStock'],
        ],
      );
      const read = await fixture.read(order);
      expect(read.openChange?.items).toMatchObject([{ substitute: { quantity: 2, price: 3 } }]);
      const after = await fixture.answered(made.body.data, [answer]);
      expect(await fixture.stockOf(beets)).toBe(answer === 'accept' ? 98 : 100);
      await fixture.changeStatus(after._id, 'cancelled', farmer);
      expect(await fixture.stocksOf([beets, kale])).toEqual([100, 100]);
    }
  });
});

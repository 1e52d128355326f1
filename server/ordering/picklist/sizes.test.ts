import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { pickOrderOf, totalsOf } from '#contract/ordering/picklist/pick-summary';
import type { Picklist } from '#contract/ordering/picklist/picklist';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createOrderFixture } from '../testing/fixture.ts';
import { createSized, placeSized, type SizedLine, sizeOf } from '../testing/sizes.ts';

// What is harvested and packed of products in sizes, in words of the farm's own, and with SKUs.

const DAY = addDays(dayIn('UTC'), 3);
const fixture = await createOrderFixture();
const { farmer } = fixture;
afterAll(() => fixture.close());

const [one, four] = [sizeOf(1, { sku: 'K-1' }), sizeOf(4)];
const carrots = await createSized(fixture, 100, [one, four]);
const honey = await fixture.createProduct(50, {
  name: 'Honey',
  unit: 'each',
  sku: 'HON-500',
  unitLabel: ['jar', 'jars'],
});

const accepted = async (lines: readonly SizedLine[]): Promise<string> => {
  const id = await placeSized(fixture, lines, {
    pickupDetails: { date: DAY, time: '10:00', location: 'Gate' },
  });
  expect((await fixture.changeStatus(id, 'accepted', farmer)).status).toBe(200);
  return id;
};
const small = await accepted([
  { product: carrots, size: one, quantity: 4 },
  { product: carrots, size: four, quantity: 1 },
  { product: honey, quantity: 3, over: { unitLabel: ['jar', 'jars'] } },
]);
const large = await accepted([{ product: carrots, size: four, quantity: 1 }]);
await placeSized(fixture, [{ product: carrots, quantity: 2.5 }], {
  pickupDetails: { date: DAY, time: '10:00', location: 'Gate' },
});

const readList = async (): Promise<Picklist> =>
  (await fixture.call('GET', `/farm/picklist?date=${DAY}`, { as: farmer })).body.data;
const print = async (): Promise<string> => {
  const body = { date: DAY };
  return (await fixture.call('POST', '/farm/picklist/prints', { as: farmer, body })).body.data._id;
};
const readOrder = async (id: string): Promise<Order> =>
  (await fixture.call('GET', `/orders/${id}`, { as: farmer })).body.data;

/** The text of a PDF, with single spaces. */
async function paper(path: string): Promise<string> {
  const response = await fetch(`${fixture.url}/api/farm/picklist/${path}`, {
    headers: { authorization: `Bearer ${farmer.token}` },
  });
  expect(response.status).toBe(200);
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  return (await extractText(pdf)).text.join(' ').replace(/\s+/g, ' ');
}

test('a product is harvested in its unit, and packed in its sizes', async () => {
  const { products, orders, ticks } = await readList();
  expect(products).toMatchObject([
    {
      product: { name: 'Carrots', unit: 'kg' },
      quantity: 12,
      pendingQuantity: 2.5,
      isByPiece: false,
      sizes: [
        { size: { label: '1 kg', content: 1 }, quantity: 4, pendingQuantity: 0 },
        { size: { label: '4 kg', content: 4 }, quantity: 2, pendingQuantity: 0 },
      ],
    },
    { product: { name: 'Honey', unitLabel: { one: 'jar', other: 'jars' } }, quantity: 3 },
  ]);
  expect(products[1]).not.toHaveProperty('sizes');
  const packed = orders.find(({ _id }) => _id === small);
  expect(packed?.lines.map(({ size, quantity }) => [size?.label, quantity])).toEqual([
    ['1 kg', 4],
    ['4 kg', 1],
    [undefined, 3],
  ]);
  // What a browser works out after events is the same as a fresh answer.
  const known = await Promise.all(
    orders.map(async (order) => pickOrderOf(await readOrder(order._id), order)),
  );
  expect(known.map(({ seen: _, ...order }) => order)).toEqual(
    orders.map(({ seen: _, ...order }) => order),
  );
  expect(totalsOf(known, ticks, { date: DAY, place: null }, false)).toEqual(products);
});

test('what is harvested is ticked off in the unit', async () => {
  const body = { date: DAY, productId: carrots, unit: 'kg', quantity: 12 };
  const { status } = await fixture.call('PUT', '/farm/picklist/ticks', { as: farmer, body });
  expect(status).toBe(200);
  expect((await readList()).products[0]).toMatchObject({ quantity: 12, ticked: 12 });
});

test('changes since a print are those of each size, also where the harvest stays the same', async () => {
  await print();
  expect((await readList()).changes).toEqual([]);
  // As many kilograms, in other sizes.
  await fixture.platform.db.orderLine.updateMany({
    where: { orderId: large },
    data: { sizeId: one.id, sizeLabel: one.label, contentMilli: one.contentMilli },
  });
  await fixture.platform.pool.query(
    'UPDATE order_lines SET quantity_milli = 6000 WHERE order_id = $1',
    [large],
  );
  const { products, changes } = await readList();
  expect(products[0]).toMatchObject({ quantity: 14, sizes: [{ quantity: 10 }, { quantity: 1 }] });
  expect(changes).toMatchObject([
    { orderId: large, size: { label: '1 kg' }, from: 1, to: 6, delta: 5 },
  ]);
  const id = await print();
  const { body } = await fixture.call('GET', `/farm/picklist/prints/${id}`, { as: farmer });
  expect(body.data.products).toMatchObject([
    {
      quantity: 14,
      sizes: [
        { size: { label: '1 kg' }, quantity: 10 },
        { size: { label: '4 kg' }, quantity: 1 },
      ],
    },
    { quantity: 3 },
  ]);
});

test('a print, slips and labels name sizes, words and SKUs', async () => {
  const list = await paper(`prints/${await print()}.pdf`);
  for (const words of [
    '14 kg',
    'Carrots (1 kg)',
    'K-1',
    '10 × 1 kg',
    'Carrots (4 kg)',
    '3 jars',
    'HON-500',
  ])
    expect(list).toContain(words);
  const slips = await paper(`sheets.pdf?date=${DAY}&sheet=packing_slips`);
  for (const words of ['Carrots (1 kg)', '4 × 1 kg', 'K-1', '3 jars', 'HON-500'])
    expect(slips).toContain(words);
  const labels = await paper(`labels.pdf?date=${DAY}&format=avery_l7160&per=line`);
  for (const words of ['4 × Carrots (1 kg) · K-1', '1 × Carrots (4 kg)', '3 jars Honey · HON-500'])
    expect(labels).toContain(words);
});

test('a print says how much more is harvested, and of which sizes', async () => {
  await print();
  const { db } = fixture.platform;
  await db.orderLine.updateMany({ where: { orderId: large }, data: { quantityMilli: 0 } });
  const now = { sizeId: four.id, sizeLabel: four.label, contentMilli: four.contentMilli };
  await db.orderLine.create({
    data: {
      ...{ orderId: large, position: 1, productId: carrots, name: 'Carrots', unit: 'kg' },
      ...{ priceMinor: four.priceMinor, quantityMilli: 3000, ...now },
    },
  });
  const list = await paper(`prints/${await print()}.pdf?changes=true`);
  // 6 × 1 kg became 3 × 4 kg.
  for (const words of ['+6 kg', '−6 × 1 kg', '+3 × 4 kg']) expect(list).toContain(words);
});

test('sizes of a product that was deleted are packed all the same', async () => {
  await fixture.platform.db.product.delete({ where: { id: carrots } });
  const { products } = await readList();
  expect(products).toMatchObject([
    { product: { _id: null, name: 'Carrots' }, sizes: [{ quantity: 4 }, { quantity: 4 }] },
    // What was ticked of it goes by its id.
    { product: { name: 'Honey' } },
  ]);
  expect(await paper(`sheets.pdf?date=${DAY}&sheet=packing_slips`)).not.toContain('K-1');
});

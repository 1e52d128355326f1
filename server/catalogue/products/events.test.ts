import { describe, expect, test } from 'vitest';
import { isLow } from '#contract/catalogue/products/constants/products';
import { Product } from '#contract/catalogue/products/product';
import { room } from '#contract/platform/events/constants';
import { closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';
import { day, productCalls } from '../testing/calls.ts';

const market = closeAfter(await startTestMarket());
const farmer = await market.join('farmer');
const category = await makeCategory(market.platform);

const { add, change, eventsSince, headNow } = productCalls(() => ({ market, farmer, category }));

describe('who receives the events of a product', () => {
  test('everyone for a new product; only its farmer and admins for an inactive one', async () => {
    const head = await headNow();
    const active = await add();
    const inactive = await add({ isActive: false });
    expect(await eventsSince(head)).toEqual([
      { name: 'product.created', rooms: [room.everyone], data: active },
      {
        name: 'product.created',
        rooms: [room.farm(farmer.id), room.admins],
        data: inactive,
      },
    ]);
  });

  test('its watchers and its farmer for a change', async () => {
    const product = await add();
    const head = await headNow();
    const { body } = await change(product._id, { price: 4 });
    expect(await eventsSince(head)).toEqual([
      {
        name: 'product.updated',
        rooms: [room.product(product._id), room.farm(farmer.id)],
        data: body.data,
      },
    ]);
  });

  test('everyone when it is hidden and shown again, and nothing in between', async () => {
    const product = await add();
    const draft = [room.farm(farmer.id), room.admins];
    const watched = [room.product(product._id), room.farm(farmer.id)];
    let head = await headNow();
    await change(product._id, { isActive: false });
    expect(await eventsSince(head)).toMatchObject([
      { name: 'product.updated', rooms: [...draft, room.everyone], data: { isActive: false } },
    ]);
    head = await headNow();
    await change(product._id, { price: 7 });
    expect(await eventsSince(head)).toMatchObject([
      { name: 'product.updated', rooms: draft, data: { price: 7 } },
    ]);
    head = await headNow();
    const { body } = await change(product._id, { isActive: true });
    expect(await eventsSince(head)).toEqual([
      { name: 'product.updated', rooms: watched, data: body.data },
      { name: 'product.created', rooms: [room.everyone], data: body.data },
    ]);
  });

  test('everyone when it is for sale again with a later last day', async () => {
    const product = await add({ availableUntil: day(-1) });
    const head = await headNow();
    await change(product._id, { availableUntil: day(1) });
    expect((await eventsSince(head)).map((event) => event.name)).toEqual([
      'product.updated',
      'product.created',
    ]);
  });

  test('only its farmer and admins when a hidden one is deleted', async () => {
    const product = await add({ isActive: false });
    const head = await headNow();
    await market.delete(`/products/${product._id}`, farmer);
    expect(await eventsSince(head)).toEqual([
      {
        name: 'product.deleted',
        rooms: [room.farm(farmer.id), room.admins],
        data: { _id: product._id },
      },
    ]);
  });

  test('the same in sizes, with all that a fresh read has', async () => {
    const read = async (id: string) => (await market.get(`/products/${id}`, farmer)).body.data;
    const size = (label: string, content: number) => ({ label, content, price: content * 2 });
    const product = await add({ sizes: [size('one', 1), size('two', 2)], price: undefined });
    const [one, two] = product.sizes ?? [];
    const steps: [string, () => Promise<unknown>][] = [
      ['sizes', () => change(product._id, { sizes: [two, one, size('five', 5)] })],
      ['one off', () => change(product._id, { sizes: [{ ...one, isActive: false }, two] })],
      ['a price', () => stock({ size: two?._id, price: 9 })],
      ['a stock', () => stock({ quantityAvailable: 7.5, seen: 50 })],
      ['always', () => change(product._id, { availability: 'always', maxPerOrder: 30 })],
      ['counted', () => change(product._id, { availability: 'counted', quantityAvailable: 3 })],
      ['none', () => change(product._id, { sizes: [], price: 4 })],
      [
        'words',
        () => change(product._id, { unit: 'each', unitLabel: { one: 'jar', other: 'jars' } }),
      ],
    ];
    const stock = (fields: object) =>
      market.put('/products/stock', farmer, { changes: [{ product: product._id, ...fields }] });
    for (const [name, step] of steps) {
      const head = await headNow();
      await step();
      const fresh = await read(product._id);
      expect(await eventsSince(head), name).toMatchObject([{ name: 'product.updated' }]);
      const [event] = await eventsSince(head);
      expect(event?.data, name).toEqual(fresh);
      expect(Product.parse(event?.data), name).toEqual(fresh);
    }
  });

  test('what an older server recorded, which knows of no sizes', async () => {
    const { availability, allergens, ...older } = await add();
    expect([availability, allergens]).toEqual(['counted', 'unknown']);
    expect(Product.parse(older)).toEqual(older);
    expect([isLow({ ...older, quantityAvailable: 9 }), isLow(older)]).toEqual([true, false]);
  });

  test('everyone, once, when it is deleted', async () => {
    const product = await add();
    const head = await headNow();
    const answers = await Promise.all(
      [1, 2, 3].map(() => market.delete(`/products/${product._id}`, farmer)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404]);
    expect(await eventsSince(head)).toEqual([
      { name: 'product.deleted', rooms: [room.everyone], data: { _id: product._id } },
    ]);
  });
});

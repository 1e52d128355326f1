import { describe, expect, test } from 'vitest';
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

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { createChangesFixture } from './testing/changes-fixture.ts';

// Proposals over HTTP: what each answer makes of lines, totals, stock and status.

const fixture = await createChangesFixture();
const { consumer, farmer } = fixture;
afterAll(() => fixture.close());

const lineOf = (order: Order, index: number) => order.items[index]?._id ?? '';

describe('a proposal', () => {
  test('asks the customer, and keeps what it offers instead', async () => {
    const { order, beets, carrots } = await fixture.ordered();
    const head = await fixture.head();
    const { status, body } = await fixture.propose(order, [
      { lineId: lineOf(order, 0), action: 'reduce', newQuantity: 4, reason: 'not_harvested' },
      {
        lineId: lineOf(order, 1),
        action: 'substitute',
        substitute: { productId: beets, quantity: 2 },
        reason: 'sold_out',
      },
    ]);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.data).toMatchObject({
      status: 'pending',
      version: 2,
      totalAmount: order.totalAmount,
      openChange: {
        status: 'open',
        createdBy: { _id: farmer.id },
        totalBefore: order.totalAmount,
        totalAfter: 16,
        items: [
          { action: 'reduce', quantity: 10, newQuantity: 4, totalBefore: 25, totalAfter: 10 },
          { action: 'substitute', substitute: { _id: beets, quantity: 2, price: 3 } },
        ],
      },
    });
    expect(body.data.timeline.at(-1)).toMatchObject({
      kind: 'proposal',
      detail: { status: 'open', totalAfter: 16 },
    });
    expect(await fixture.stockOf(beets)).toBe(98);
    expect(await fixture.stockOf(carrots)).toBe(90);
    const [event] = await fixture.updatesOf(order, head);
    expect(event).toMatchObject({ version: 2, change: { kind: 'proposal', status: 'open' } });
    expect((await fixture.read(order)).openChange).toEqual(body.data.openChange);
  });

  test.each([
    ['long ago', '2000-01-01T00:00:00.000Z'],
    ['in a century', '2126-01-01T00:00:00.000Z'],
    ['no time at all', 'soon'],
  ])('waits as long as the farm says, whatever a client asks for: %s', async (_, answerBy) => {
    const { order } = await fixture.ordered();
    const items = [{ lineId: lineOf(order, 1), action: 'remove', reason: 'damaged' }];
    const { status, body } = await fixture.call('POST', `/orders/${order._id}/changes`, {
      as: farmer,
      body: { items, answerBy },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const { createdAt, answerBy: until } = (body.data as Order).openChange ?? {};
    expect(Date.parse(until ?? '') - Date.parse(createdAt ?? '')).toBe(2 * 60 * 60_000);
  });

  test('accepted, it is what becomes of the order, which the farm has accepted with it', async () => {
    const { order, beets, carrots, kale, made } = await fixture.proposed();
    const after = await fixture.answered(made, ['accept', 'accept']);
    expect(after).toMatchObject({
      status: 'accepted',
      version: 3,
      totalAmount: 16,
      estimatedTotal: order.totalAmount,
      openChange: null,
    });
    expect(
      after.items.map(({ quantity, orderedQuantity, state }) => [quantity, orderedQuantity, state]),
    ).toEqual([
      [4, 10, 'reduced'],
      [0, 5, 'removed'],
      [2, 0, 'added'],
    ]);
    expect(after.items[2]).toMatchObject({ replaces: lineOf(order, 1), product: { _id: beets } });
    expect(after.timeline.slice(-2)).toMatchObject([
      { kind: 'proposal', by: { _id: consumer.id }, detail: { status: 'accepted' } },
      { kind: 'status', status: 'accepted', by: { _id: farmer.id } },
    ]);
    // What was not harvested is nowhere.
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([90, 95, 98]);
  });

  test('offers pieces that are priced by weight as such, and so they come into the order', async () => {
    const { order } = await fixture.ordered();
    const piece = { unit: 'kg', priceMinor: 1000, pieceMilli: 1800, pieceMinMilli: 1500 };
    const duck = await fixture.createProduct(50, { name: 'Duck', ...piece });
    const { body } = await fixture.propose(order, [
      {
        lineId: lineOf(order, 1),
        action: 'substitute',
        substitute: { productId: duck, quantity: 2 },
        reason: 'sold_out',
      },
    ]);
    const pieceWeight = { average: 1.8, min: 1.5 };
    expect(body.data.openChange).toMatchObject({
      totalAfter: 61,
      items: [{ substitute: { _id: duck, quantity: 2, price: 10, pieceWeight }, totalAfter: 36 }],
    });
    const { detail } = body.data.timeline.at(-1);
    expect(detail).toMatchObject({ totalAfter: 61, isAfterEstimate: true });
    expect(detail).not.toHaveProperty('isBeforeEstimate');
    const after = await fixture.answered(body.data, ['accept']);
    expect(after).toMatchObject({ totalAmount: 61, isTotalFinal: false });
    expect(after.items[2]).toMatchObject({ pieceWeight, pieces: 2, estimate: 36, isFinal: false });
    expect(after.items[2]).not.toHaveProperty('packed');
  });

  test('counts pieces as pieces in what it refuses', async () => {
    const piece = { unit: 'kg', priceMinor: 1000, pieceMilli: 1800 };
    const hen = await fixture.createProduct(5, { name: 'Hen', ...piece });
    const goose = await fixture.createProduct(5, { name: 'Goose', ...piece });
    const order = await fixture.placeOrder([{ product: hen, quantity: 3 }]);
    const lineId = lineOf(order, 0);
    const substitute = { productId: goose, quantity: 6 };
    for (const [item, message] of [
      [{ action: 'reduce', newQuantity: 3 }, 'Enter less than 3 of Hen.'],
      [{ action: 'substitute', substitute }, 'Only 5 of Goose left.'],
    ] as const) {
      const { status, body } = await fixture.propose(order, [
        { ...item, lineId, reason: 'damaged' },
      ]);
      expect([status >= 400, body.message]).toEqual([true, message]);
    }
  });

  test.each([
    ['is taken off the market', { isActive: false }],
    ['gets another name, unit and price', { name: 'Chard', unit: 'kg' as const, priceMinor: 999 }],
    ['belongs to no category', { categoryId: null }],
  ])('holds what it offers at its price when the product %s meanwhile', async (_, data) => {
    const { made, beets } = await fixture.proposed();
    await fixture.platform.db.product.update({ where: { id: beets }, data });
    const after = await fixture.answered(made, ['accept', 'accept']);
    expect(after).toMatchObject({ status: 'accepted', totalAmount: 16 });
    expect(after.items[2]).toMatchObject({
      product: { _id: beets, name: 'Beets', unit: made.items[0]?.product.unit },
      quantity: 2,
      price: 3,
    });
    expect(await fixture.stockOf(beets)).toBe(98);
  });

  test('left out line by line, the goods that are there go back', async () => {
    const { made, beets, carrots, kale } = await fixture.proposed();
    const after = await fixture.answered(made, ['accept', 'leave_out']);
    expect(after).toMatchObject({ status: 'accepted', totalAmount: 10 });
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([90, 95, 100]);
  });

  test('with everything left out, the order is cancelled', async () => {
    const { made, beets, carrots, kale } = await fixture.proposed();
    const after = await fixture.answered(made, ['leave_out', 'leave_out']);
    expect(after).toMatchObject({ status: 'cancelled', openChange: null });
    expect(after.timeline.at(-1)).toMatchObject({
      status: 'cancelled',
      by: { _id: consumer.id },
    });
    // Four of the ten carrots are there; the rest was never harvested.
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([94, 95, 100]);
  });

  test('may be the reason to cancel even an accepted order', async () => {
    const { order, carrots, kale, beets } = await fixture.ordered();
    await fixture.changeStatus(order._id, 'accepted', farmer);
    const made = await fixture.proposeBoth(await fixture.read(order), beets);
    const { status, body } = await fixture.answer(made, { cancelOrder: true });
    expect([status, body.data.status]).toEqual([200, 'cancelled']);
    expect(body.data.timeline.at(-1).cause).toBe('change_declined');
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([94, 95, 100]);
  });

  test('taken back, everything is as before', async () => {
    const { order, made, carrots, kale, beets } = await fixture.proposed();
    const { status, body } = await fixture.withdraw(made);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ version: 3, openChange: null, items: order.items });
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([90, 95, 100]);
    const late = await fixture.answer(made, {
      items: [{ lineId: lineOf(order, 0), answer: 'accept' }],
    });
    expect([late.status, late.body.code]).toEqual([409, 'CHANGE_NOT_OPEN']);
    expect(late.body.data.version).toBe(3);
  });

  test('gives way to a new one of who has seen it, and to nobody else', async () => {
    const { made, beets } = await fixture.proposed();
    const items = [{ lineId: lineOf(made, 0), action: 'remove', reason: 'quality' }];
    for (const expectedVersion of [undefined, 1]) {
      const second = await fixture.propose(made, items, { expectedVersion });
      expect([second.status, second.body.code]).toEqual([409, 'OPEN_CHANGE']);
      expect(second.body.data.openChange._id).toBe(made.openChange?._id);
    }
    const replacement = await fixture.propose(made, items, { expectedVersion: made.version });
    expect(replacement.status).toBe(201);
    expect(replacement.body.data.openChange.items).toHaveLength(1);
    expect(await fixture.stockOf(beets)).toBe(100);
    const row = await fixture.platform.db.orderProposal.findUniqueOrThrow({
      where: { id: made.openChange?._id ?? '' },
    });
    expect(row.status).toBe('superseded');
  });

  test('is made once under its id', async () => {
    const { order } = await fixture.ordered();
    const _id = randomUUID();
    const items = [{ lineId: lineOf(order, 0), action: 'remove', reason: 'other' }];
    const first = await fixture.propose(order, items, { _id });
    const second = await fixture.propose(order, items, { _id });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.data).toEqual(first.body.data);
    const { order: another } = await fixture.ordered();
    const taken = await fixture.propose(
      another,
      [{ lineId: lineOf(another, 0), action: 'remove', reason: 'other' }],
      { _id },
    );
    expect([taken.status, taken.body.code]).toEqual([409, 'ID_TAKEN']);
  });

  test('empties the shelf when asked to', async () => {
    const { order, carrots } = await fixture.ordered();
    await fixture.propose(order, [
      {
        lineId: lineOf(order, 0),
        action: 'remove',
        reason: 'not_harvested',
        emptiesShelf: true,
      },
    ]);
    expect(await fixture.stockOf(carrots)).toBe(0);
  });
});

describe('while a proposal is open', () => {
  test('the order is neither accepted, completed nor changed', async () => {
    const { order, made, carrots } = await fixture.proposed();
    const accepted = await fixture.changeStatus(order._id, 'accepted', farmer);
    expect([accepted.status, accepted.body.code]).toEqual([409, 'OPEN_CHANGE']);
    expect(accepted.body.data.openChange._id).toBe(made.openChange?._id);
    const items = await fixture.put(`/orders/${order._id}/items`, consumer, {
      items: [{ product: carrots, quantity: 1 }],
    });
    expect([items.status, items.body.code]).toEqual([409, 'OPEN_CHANGE']);
    const bulk = await fixture.put('/orders/status', farmer, {
      ids: [order._id],
      status: 'accepted',
    });
    expect(bulk.body.data).toMatchObject([{ _id: order._id, code: 'OPEN_CHANGE' }]);
  });

  test.each(['rejected', 'cancelled'])('%s takes it back', async (status) => {
    const { order, made, carrots, kale, beets } = await fixture.proposed();
    const head = await fixture.head();
    expect((await fixture.changeStatus(order._id, status, farmer)).status).toBe(200);
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([100, 100, 100]);
    const [event] = await fixture.updatesOf(order, head);
    expect(event).toMatchObject({ status, openChange: null });
    const after = await fixture.read(order);
    expect(after.openChange).toBeNull();
    expect(after.changes).toMatchObject([{ _id: made.openChange?._id, status: 'withdrawn' }]);
  });
});

describe('refuses', () => {
  test.each<[string, (order: Order, other: Order) => object, RegExp]>([
    ['no items', () => ({ items: [] }), /at least one line/],
    [
      'the same line twice',
      (order) => ({
        items: [0, 0].map((index) => ({
          lineId: lineOf(order, index),
          action: 'remove',
          reason: 'other',
        })),
      }),
      /only once/,
    ],
    [
      'a line of another order',
      (_, other) => ({
        items: [{ lineId: lineOf(other, 0), action: 'remove', reason: 'other' }],
      }),
      /line of this order/,
    ],
    [
      'as much as there is',
      (order) => ({
        items: [{ lineId: lineOf(order, 0), action: 'reduce', newQuantity: 10, reason: 'other' }],
      }),
      /less than 10/,
    ],
    [
      'nothing at all',
      (order) => ({
        items: [{ lineId: lineOf(order, 0), action: 'reduce', newQuantity: 0, reason: 'other' }],
      }),
      /above 0/,
    ],
    [
      'half a bunch',
      (order) => ({
        items: [{ lineId: lineOf(order, 0), action: 'reduce', newQuantity: 1.5, reason: 'other' }],
      }),
      /in steps of/,
    ],
    [
      'no reason',
      (order) => ({ items: [{ lineId: lineOf(order, 0), action: 'remove' }] }),
      /Say why/,
    ],
  ])('%s', async (_, bodyOf, sentence) => {
    const [{ order }, { order: other }] = [await fixture.ordered(), await fixture.ordered()];
    const { status, body } = await fixture.call('POST', `/orders/${order._id}/changes`, {
      as: farmer,
      body: bodyOf(order, other),
    });
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(sentence);
    expect((await fixture.read(order)).version).toBe(1);
  });

  test('a substitute of another farm, one that is not sold, sold out, or the same', async () => {
    const { order, carrots } = await fixture.ordered();
    const stranger = await fixture.join('farmer');
    const offers: [string, number][] = [
      [await fixture.createProduct(5, { farmerId: stranger.id }), 400],
      [await fixture.createProduct(5, { isActive: false }), 400],
      [await fixture.createProduct(0), 409],
      [carrots, 400],
      [randomUUID(), 400],
    ];
    for (const [productId, expected] of offers) {
      const { status, body } = await fixture.propose(order, [
        {
          lineId: lineOf(order, 0),
          action: 'substitute',
          substitute: { productId, quantity: 1 },
          reason: 'other',
        },
      ]);
      expect(status, JSON.stringify(body)).toBe(expected);
      expect(body.errors[0].path).toMatch(/^items\.0\.substitute/);
    }
    expect((await fixture.read(order)).version).toBe(1);
  });

  test('answers for other lines, and missing ones', async () => {
    const { order, made } = await fixture.proposed();
    const answer = (...lines: string[]) =>
      fixture.answer(made, { items: lines.map((lineId) => ({ lineId, answer: 'accept' })) });
    const ids = order.items.map(({ _id }) => _id);
    expect((await answer(ids[0] ?? '')).status).toBe(400);
    expect((await answer(...ids, randomUUID())).status).toBe(400);
    expect((await answer(ids[0] ?? '', ids[0] ?? '')).status).toBe(400);
    const limit = await fixture.answer(made, fixture.answersOf(made, ['keep_limit', 'accept']));
    expect([limit.status, limit.body.message]).toEqual([
      400,
      'Only goods that weigh more than expected have a limit.',
    ]);
    expect((await answer(...ids)).status).toBe(200);
  });

  test('an order that is over, and strangers', async () => {
    const { order, made } = await fixture.proposed();
    const other = await fixture.join('consumer');
    const stranger = await fixture.join('farmer');
    const path = `/orders/${order._id}/changes/${made.openChange?._id}`;
    const body = { cancelOrder: true };
    expect((await fixture.put(`${path}/answer`, other, body)).status).toBe(404);
    expect((await fixture.call('DELETE', path, { as: stranger })).status).toBe(404);
    const unknown = `/orders/${order._id}/changes/${randomUUID()}/answer`;
    expect((await fixture.put(unknown, consumer, body)).status).toBe(404);
    await fixture.changeStatus(order._id, 'cancelled', farmer);
    const late = await fixture.propose(order, [
      { lineId: lineOf(order, 0), action: 'remove', reason: 'other' },
    ]);
    expect([late.status, late.body.code]).toEqual([409, 'ORDER_NOT_OPEN']);
  });
});

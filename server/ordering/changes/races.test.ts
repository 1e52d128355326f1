import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Answer, Caller } from '../../testing/market.ts';
import { startUncached } from '../../testing/samples/uncached.ts';
import { decideExpiry } from './decide-close.ts';
import { createChangesFixture } from './testing/changes-fixture.ts';

// Two who act on one proposal at once, over two servers, and the end of a proposal without an answer.

const fixture = await createChangesFixture();
const { consumer, farmer } = fixture;
const other = await startUncached(fixture.env);
afterAll(async () => {
  await other.close();
  await fixture.close();
});

/** Makes a call of the second server. */
async function elsewhere(method: string, path: string, as: Caller, body?: unknown) {
  const response = await fetch(`${other.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() } as Pick<
    Answer,
    'status' | 'body'
  >;
}

const acceptAll = (made: Order) => fixture.answersOf(made, ['accept', 'accept']);

describe('of two at once one wins, and the other gets the present state', () => {
  test.each<[string, (made: Order) => Promise<Pick<Answer, 'status' | 'body'>>]>([
    ['an answer and a withdrawal', (made) => elsewhere('DELETE', fixture.changePath(made), farmer)],
    [
      'an answer and another answer',
      (made) =>
        elsewhere('PUT', `${fixture.changePath(made)}/answer`, consumer, { cancelOrder: true }),
    ],
    [
      'an answer and a new proposal',
      (made) =>
        elsewhere('POST', `/orders/${made._id}/changes`, farmer, {
          items: [{ lineId: made.items[0]?._id, action: 'remove', reason: 'other' }],
          expectedVersion: made.version,
        }),
    ],
    [
      'an answer and a cancellation',
      (made) => elsewhere('PUT', `/orders/${made._id}`, farmer, { status: 'rejected' }),
    ],
  ])('%s', async (_, concurrent) => {
    for (let round = 0; round < 4; round++) {
      const { made, order } = await fixture.proposed();
      const both = await Promise.all([fixture.answer(made, acceptAll(made)), concurrent(made)]);
      const won = both.filter(({ status }) => status < 300);
      expect(won, JSON.stringify(both.map(({ body }) => body.code))).toHaveLength(1);
      const lost = both.find(({ status }) => status >= 300);
      expect(lost?.status).toBe(409);
      const now = await fixture.read(order);
      expect(now.version).toBe(3);
      expect(won[0]?.body.data.version).toBe(3);
    }
  });

  test('two of the farm who propose', async () => {
    const { order } = await fixture.ordered();
    const items = [{ lineId: order.items[0]?._id, action: 'remove', reason: 'other' }];
    const body = { items, expectedVersion: 1 };
    const both = await Promise.all([
      fixture.propose(order, items, { expectedVersion: 1 }),
      elsewhere('POST', `/orders/${order._id}/changes`, farmer, body),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lost = both.find(({ status }) => status === 409);
    expect(lost?.body.code).toBe('OPEN_CHANGE');
    expect(lost?.body.data.openChange).toMatchObject({ status: 'open' });
  });

  test('an answer and the end of its time', async () => {
    for (let round = 0; round < 4; round++) {
      const { made, order } = await fixture.proposed();
      const isOver = round % 2 === 0;
      if (isOver) await fixture.endNow(made);
      const [answer] = await Promise.all([
        fixture.answer(made, acceptAll(made)),
        fixture.expire(made),
      ]);
      const { changes = [] } = await fixture.read(order);
      expect(answer.status).toBe(isOver ? 409 : 200);
      expect(changes[0]?.status).toBe(isOver ? 'expired' : 'accepted');
    }
  });
});

describe('without an answer', () => {
  test('there is less where less is there, and nothing instead', async () => {
    const { made, order, carrots, kale, beets } = await fixture.proposed();
    await fixture.expire(made);
    expect((await fixture.read(order)).openChange).not.toBeNull();
    await fixture.endNow(made);
    await fixture.expire(made);
    await fixture.expire(made);
    const after = await fixture.read(order);
    expect(after).toMatchObject({ status: 'pending', version: 3, totalAmount: 10 });
    expect(after.items.map(({ quantity }) => quantity)).toEqual([4, 0]);
    expect(after.timeline.at(-1)).toMatchObject({
      kind: 'proposal',
      detail: { status: 'expired' },
      by: { _id: farmer.id },
    });
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([90, 95, 100]);
  });

  test.each([
    ['pending', 'rejected'],
    ['accepted', 'cancelled'],
  ])('a %s order from which nothing is left is %s', async (from, to) => {
    const { order } = await fixture.ordered();
    if (from === 'accepted') await fixture.changeStatus(order._id, 'accepted', farmer);
    const { body } = await fixture.propose(
      order,
      order.items.map(({ _id }) => ({ lineId: _id, action: 'remove', reason: 'damaged' })),
    );
    await fixture.endNow(body.data);
    await fixture.expire(body.data);
    const after = await fixture.read(order);
    expect(after.status).toBe(to);
    expect(after.timeline.at(-1)).toMatchObject({ status: to, by: { _id: farmer.id } });
    expect(after.totalAmount).toBe(order.totalAmount);
  });

  test('because the customer deleted the account, it is as if nobody answered', async () => {
    const buyer = await fixture.join('consumer');
    const carrots = await fixture.createProduct(100);
    const kale = await fixture.createProduct(100);
    const beets = await fixture.createProduct(100, { name: 'Beets' });
    const order = await fixture.placeOrder(
      [
        { product: carrots, quantity: 10 },
        { product: kale, quantity: 5 },
      ],
      buyer,
    );
    await fixture.changeStatus(order._id, 'accepted', farmer);
    const made = await fixture.proposeBoth(await fixture.read(order, buyer), beets);
    const removed = await fixture.call('DELETE', `/users/${buyer.id}`, { as: fixture.admin });
    expect(removed.status, JSON.stringify(removed.body)).toBe(200);
    const after = await fixture.read(made, farmer);
    expect(after).toMatchObject({ status: 'accepted', openChange: null });
    expect(after.changes?.[0]?.status).toBe('expired');
    expect(await fixture.stocksOf([carrots, kale, beets])).toEqual([90, 95, 100]);
  });

  test('is decided by the present state alone', () => {
    const state = { proposals: [] } as unknown as Parameters<typeof decideExpiry>[0]['order'];
    const by = { id: '', name: '', role: 'farmer' as const, deletedAt: null };
    const plan = decideExpiry(
      { order: state, now: new Date(), by, products: new Map() },
      randomUUID(),
    );
    expect(plan).toBeUndefined();
  });
});

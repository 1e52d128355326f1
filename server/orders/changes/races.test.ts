import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toMilli } from '#contract/constants/quantities';
import type { Order } from '#contract/orders';
import type { Answer, Caller } from '../../testing/market.ts';
import { startUncached } from '../../testing/uncached.ts';
import { decideExpiry } from './decide-close.ts';
import { expireProposal } from './expire.ts';
import { type ChangesFixture, createChangesFixture } from './testing/changes-fixture.ts';

// Two who act on one proposal at once, over two servers; the end of a proposal without an answer; and stock over
// everything that can happen to orders, in any order.

let fixture: ChangesFixture;
let consumer: Caller;
let farmer: Caller;
let other: Awaited<ReturnType<typeof startUncached>>;
beforeAll(async () => {
  fixture = await createChangesFixture();
  ({ consumer, farmer } = fixture);
  other = await startUncached(fixture.env);
});
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

const endNow = (made: Order) =>
  fixture.platform.db.orderProposal.update({
    where: { id: made.openChange?._id ?? '' },
    data: { answerBy: new Date(Date.now() - 1000) },
  });

const expire = (made: Order) =>
  fixture.platform.db.$transaction((tx) => expireProposal(tx, made.openChange?._id ?? ''));

describe('of two at once one wins, and the other is told how it is', () => {
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
  ])('%s', async (_, rival) => {
    for (let round = 0; round < 4; round++) {
      const { made, order } = await fixture.proposed();
      const both = await Promise.all([fixture.answer(made, acceptAll(made)), rival(made)]);
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
      if (isOver) await endNow(made);
      const [answer] = await Promise.all([fixture.answer(made, acceptAll(made)), expire(made)]);
      const { changes = [] } = await fixture.read(order);
      expect(answer.status).toBe(isOver ? 409 : 200);
      expect(changes[0]?.status).toBe(isOver ? 'expired' : 'accepted');
    }
  });
});

describe('without an answer', () => {
  test('there is less where less is there, and nothing instead', async () => {
    const { made, order, carrots, kale, beets } = await fixture.proposed();
    await expire(made);
    expect((await fixture.read(order)).openChange).not.toBeNull();
    await endNow(made);
    await expire(made);
    await expire(made);
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
    await endNow(body.data);
    await expire(body.data);
    const after = await fixture.read(order);
    expect(after.status).toBe(to);
    expect(after.timeline.at(-1)).toMatchObject({ status: to, by: { _id: farmer.id } });
    expect(after.totalAmount).toBe(order.totalAmount);
  });

  test('because the buyer deleted the account, it is as if nobody answered', async () => {
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

/** Numbers that look random and are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('whatever happens to orders, in any order and at once', () => {
  test.each([1, 2, 3])('no goods appear or vanish (%i)', async (seed) => {
    const random = createRandom(seed);
    const names = ['Carrots', 'Kale', 'Beets', 'Leek'];
    const products = await Promise.all(names.map((name) => fixture.createProduct(200, { name })));
    const buyers = [consumer, await fixture.join('consumer')];
    const orders: Order[] = [];
    for (let index = 0; index < 4; index++) {
      const onShort = ['ask', 'leave_out', 'similar'][index % 3];
      const items = products.slice(0, 3).map((product) => ({ product, quantity: 8, onShort }));
      orders.push(await fixture.placeOrder(items, buyers[index % 2] ?? consumer));
    }

    const act = async (order: Order): Promise<void> => {
      const buyer = buyers.find(({ id }) => id === order.consumer._id) ?? consumer;
      const now = await fixture.read(order, buyer);
      const lines = now.items.filter(({ quantity }) => quantity > 0);
      const line = lines[random(lines.length)];
      if (!line) return;
      const productId = products[random(products.length)];
      const reason = ['other', 'quality'][random(2)];
      const base = { lineId: line._id, reason };
      const proposals = [
        { ...base, action: 'remove' },
        { ...base, action: 'reduce', newQuantity: Math.max(1, line.quantity - 2) },
        { ...base, action: 'substitute', substitute: { productId, quantity: 1 + random(5) } },
      ];
      const answers = (now.openChange?.items ?? []).map(
        () => ['accept', 'leave_out'][random(2)] ?? '',
      );
      const calls: (() => Promise<unknown>)[] = [
        () => fixture.propose(now, [proposals[random(3)]], { expectedVersion: now.version }),
        () => fixture.propose(now, [proposals[random(3)]], { expectedVersion: now.version }),
        () => fixture.answer(now, fixture.answersOf(now, answers), buyer),
        () => fixture.answer(now, { cancelOrder: true }, buyer),
        () => fixture.withdraw(now),
        async () => {
          if (!now.openChange) return;
          await endNow(now);
          await expire(now);
        },
        () =>
          fixture.put(`/orders/${now._id}/items`, buyer, {
            items: products.map((product) => ({ product, quantity: 1 + random(9) })),
          }),
        () => fixture.changeStatus(now._id, 'accepted', farmer),
        () => fixture.changeStatus(now._id, ['rejected', 'cancelled'][random(2)] ?? '', farmer),
      ];
      // What ends an order is rare, else there would soon be none left.
      const index =
        random(30) === 0 ? 8 : random(40) === 0 ? 3 : ([0, 1, 2, 4, 5, 6, 7][random(7)] ?? 0);
      await calls[index]?.();
    };
    for (let round = 0; round < 12; round++) {
      await Promise.all(orders.map(act));
    }
    await expectConserved(products);
  });

  /**
   * Checks that of each product what is on the shelf, in open orders and held back for proposals is what there was
   * at first. All reasons here send goods back; decide-close.test.ts accounts for what is written off.
   */
  async function expectConserved(products: readonly string[]): Promise<void> {
    const { db } = fixture.platform;
    for (const productId of products) {
      const { stockMilli } = await db.product.findUniqueOrThrow({ where: { id: productId } });
      const lines = await db.orderLine.findMany({
        where: { productId, order: { status: { in: ['pending', 'accepted'] } } },
      });
      const open = await db.orderProposal.findMany({ where: { status: 'open' } });
      const reserved = open
        .flatMap(
          ({ items }) => items as { substitute?: { productId: string; quantityMilli: number } }[],
        )
        .filter(({ substitute }) => substitute?.productId === productId)
        .reduce((sum, { substitute }) => sum + (substitute?.quantityMilli ?? 0), 0);
      const taken = lines.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0);
      const held = Number(stockMilli) + taken + reserved;
      expect(Number(stockMilli)).toBeGreaterThanOrEqual(0);
      expect(held).toBe(toMilli(200));
    }
    const totals = await db.order.findMany({ include: { lines: true } });
    for (const { totalMinor, lines } of totals) {
      const sum = lines.reduce(
        (total, { priceMinor, quantityMilli }) => total + (priceMinor * quantityMilli) / 1000,
        0,
      );
      expect(Number(totalMinor)).toBe(sum);
    }
  }
});

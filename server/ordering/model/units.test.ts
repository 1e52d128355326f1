import { afterAll, describe, expect, test } from 'vitest';
import type { Unit } from '#contract/catalogue/products/product';
import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import {
  aboutMilli,
  convertMilli,
  inStockOf,
} from '#contract/platform/quantities/constants/pieces';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';

// A quantity never travels without its unit: what an order holds goes back in what its product is counted in, or not.

const fixture = await createChangesFixture({ DATABASE_POOL_SIZE: '20' });
const { farmer, consumer, admin } = fixture;
afterAll(() => fixture.close());

const db = () => fixture.platform.db;
const update = (product: string, body: object, as = farmer) =>
  fixture.call('PUT', `/products/${product}`, { as, body });

describe('the same quantity in another unit', () => {
  test.each<[number, Unit, Unit, number | null]>([
    [200_000, 'g', 'kg', 200],
    [1500, 'kg', 'g', 1_500_000],
    [1, 'kg', 'g', 1000],
    // Half a thousandth of a kilogram.
    [500, 'g', 'kg', null],
    [4000, 'bunch', 'bunch', 4000],
    [4000, 'bunch', 'kg', null],
    [16_000, 'oz', 'lb', null],
    [1000, 'lb', 'kg', null],
    [4000, 'pint', 'quart', null],
    [12_000, 'each', 'dozen', null],
  ])('%d thousandths of %s are so many of %s: %s', (milli, from, to, expected) => {
    expect(convertMilli(milli, from, to)).toBe(expected);
  });

  const by = (unit: Unit, pieceMilli: number | null = null) => ({ unit, pieceMilli });
  test('pieces are pieces, whatever they are priced by and weigh', () => {
    expect(inStockOf(by('g', 900_000), by('kg', 1800), 2000)).toBe(2000);
    expect(inStockOf(by('each'), by('kg', 1800), 2000)).toBe(2000);
    expect(inStockOf(by('kg'), by('kg', 1800), 2000)).toBeNull();
    expect(inStockOf(by('kg', 1800), by('kg'), 2000)).toBeNull();
  });

  test('about as much is offered to somebody who still has to agree', () => {
    expect(aboutMilli(2000, by('lb'), by('kg'))).toBe(907);
    expect(aboutMilli(4000, by('kg'), by('kg', 1500))).toBe(3000);
    expect(aboutMilli(2000, by('kg', 1500), by('g'))).toBe(3_000_000);
    expect(aboutMilli(200_000, by('g'), by('kg'))).toBe(200);
    expect(aboutMilli(10, by('kg'), by('kg', 1500))).toBe(1000);
    expect(aboutMilli(4000, by('bunch'), by('kg'))).toBeNull();
  });
});

describe('the unit of a product that is in use', () => {
  const kale = (over: object = {}) =>
    fixture.createProduct(5000, { name: 'Kale', unit: 'kg', ...over });
  const refused = async (product: string, body: object, orders: readonly Order[], as = farmer) => {
    const answer = await update(product, body, as);
    expect([answer.status, answer.body.code]).toEqual([409, 'PRODUCT_IN_USE']);
    const ids = orders.map(({ _id }) => _id);
    expect(answer.body.data.orders).toEqual({ count: ids.length, ids: ids.slice(0, 5) });
    const use = await fixture.call('GET', `/products/${product}/use`, { as });
    expect(use.body.data).toEqual(answer.body.data.orders);
    return answer.body;
  };

  test('stays while orders wait or are accepted, for its farm and for admins', async () => {
    const product = await kale();
    const order = await fixture.placeOrder([{ product, quantity: 2 }]);
    const { message, errors } = await refused(product, { unit: 'g' }, [order]);
    expect(message).toBe(
      `An open order has Kale in this unit: #${order._id.slice(0, 8)}. Make a copy of it that is sold the other way, or wait until that order is completed.`,
    );
    expect(errors).toEqual([{ path: 'unit', message }]);
    await fixture.changeStatus(order._id, 'accepted', farmer);
    await refused(product, { unit: 'g' }, [order], admin);
    await refused(product, { unit: 'bunch', price: 9 }, [order]);
    const pieces = { soldBy: 'piece_by_weight', pieceWeight: { average: 1 } };
    const bySale = await refused(product, { ...pieces }, [order]);
    expect(bySale.errors[0].path).toBe('soldBy');
    // The same again, and everything else, is no change of it.
    const same = { unit: 'kg', soldBy: 'unit', pieceWeight: null, step: 0.5, minimum: 1, price: 3 };
    expect((await update(product, same)).status).toBe(200);
    await fixture.changeStatus(order._id, 'completed', farmer);
    expect((await update(product, { unit: 'g' })).status).toBe(200);
  });

  test('what a piece weighs may change, and not whether there are pieces', async () => {
    const product = await kale({ pieceMilli: 1500 });
    const order = await fixture.placeOrder([{ product, quantity: 2 }]);
    const heavier = { pieceWeight: { average: 2, min: 1.5, max: 2.5 } };
    expect((await update(product, heavier)).status).toBe(200);
    await refused(product, { soldBy: 'unit' }, [order]);
    await refused(product, { pieceWeight: null }, [order]);
    await refused(product, { unit: 'lb' }, [order]);
  });

  test('stays while a proposal offers it instead of something else', async () => {
    const { order, beets } = await fixture.ordered();
    const made = await fixture.proposeBoth(order, beets);
    await refused(beets, { unit: 'kg' }, [order]);
    await fixture.withdraw(made);
    expect((await update(beets, { unit: 'kg' })).status).toBe(200);
  });

  test('stays while stock of it is set aside', async () => {
    const product = await kale();
    const change = (over: object) =>
      fixture.call('PUT', '/products/stock', {
        as: farmer,
        body: { changes: [{ product, ...over }] },
      });
    await change({ quantityAvailable: 0, seen: 5000, untilMorning: true });
    const { message } = await refused(product, { unit: 'g', quantityAvailable: 3 }, []);
    expect(message).toContain('set aside until the morning');
    await change({ quantityAvailable: 10, seen: 0 });
    expect((await update(product, { unit: 'g' })).status).toBe(200);
  });

  test('names the first of many, and does not count what was taken out', async () => {
    const product = await kale();
    const other = await fixture.createProduct(100, { name: 'Beets' });
    const orders: Order[] = [];
    for (let count = 0; count < 7; count++) {
      orders.push(await fixture.placeOrder([{ product, quantity: 1 }]));
    }
    const both = await fixture.placeOrder([
      { product, quantity: 1 },
      { product: other, quantity: 1 },
    ]);
    const { message } = await refused(product, { unit: 'g' }, [...orders, both]);
    expect(message).toContain(' and 3 more. Make a copy');
    await fixture.put(`/orders/${both._id}/items`, consumer, {
      items: [{ product: other, quantity: 1 }],
    });
    await refused(product, { unit: 'g' }, orders);
  });

  test('an order at the same moment is in one unit with its product', async () => {
    for (let round = 0; round < 12; round++) {
      const product = await kale({ unit: 'g', stockMilli: 5_000_000 });
      const [placed, changed] = await Promise.all([
        fixture.order([{ product, quantity: 200, priceBasis: { unit: 'g' } }]),
        update(product, { unit: 'kg' }),
      ]);
      if (placed.status === 201) {
        expect([changed.status, changed.body.code]).toEqual([409, 'PRODUCT_IN_USE']);
      } else {
        expect([placed.body.code, changed.status]).toEqual(['PRICE_CHANGED', 200]);
        expect(placed.body.message).toContain('1 kg of it would be');
      }
      expect(await fixture.stockOf(product)).toBe(placed.status === 201 ? 4800 : 5000);
    }
  });
});

describe('an order from before the unit was fixed', () => {
  /** An order of 200 of a product by the unit of its time, beside eggs, whose product is counted in another one now. */
  async function from(before: Unit, now: Unit, { status = 'pending' } = {}) {
    const product = await fixture.createProduct(1000, { name: 'Kale', unit: before });
    const eggs = await fixture.createProduct(1000, { name: 'Eggs', unit: 'dozen' });
    const beets = await fixture.createProduct(1000, { name: 'Beets', unit: before });
    const order = await fixture.placeOrder([
      { product, quantity: 200 },
      { product: eggs, quantity: 1 },
    ]);
    if (status === 'accepted') await fixture.changeStatus(order._id, status, farmer);
    return { product, eggs, beets, order, now };
  }
  type Old = Awaited<ReturnType<typeof from>>;

  /** The farm changed the unit then, which it could. */
  const changeUnit = ({ product, beets, now }: Old) =>
    db().product.updateMany({ where: { id: { in: [product, beets] } }, data: { unit: now } });

  const substitute = async ({ order, beets }: Old) => {
    const { body } = await fixture.propose(order, [
      {
        lineId: order.items[0]?._id,
        action: 'substitute',
        substitute: { productId: beets, quantity: 200 },
        reason: 'quality',
      },
    ]);
    return body.data as Order;
  };
  const [line, offered] = ['Kale', 'Beets'];

  /** How goods come back, after what began in the old unit, and which of them do. */
  const WAYS: Record<
    string,
    {
      status?: string;
      begin?: (old: Old) => Promise<Order>;
      end: (old: Old, made: Order) => Promise<unknown>;
      back: string[];
    }
  > = {
    'rejecting it': {
      end: ({ order }) => fixture.changeStatus(order._id, 'rejected', farmer),
      back: [line],
    },
    'cancelling it': {
      end: ({ order }) => fixture.changeStatus(order._id, 'cancelled', consumer),
      back: [line],
    },
    'cancelling it when accepted': {
      status: 'accepted',
      end: ({ order }) => fixture.changeStatus(order._id, 'cancelled', farmer),
      back: [line],
    },
    'cancelling several': {
      end: ({ order }) =>
        fixture.put('/orders/status', admin, { ids: [order._id], status: 'cancelled' }),
      back: [line],
    },
    'cancelling it with a substitute offered': {
      begin: substitute,
      end: ({ order }) => fixture.changeStatus(order._id, 'cancelled', consumer),
      back: [line, offered],
    },
    'taking the line out': {
      end: ({ order, eggs }) =>
        fixture.put(`/orders/${order._id}/items`, consumer, {
          items: [{ product: eggs, quantity: 1 }],
        }),
      back: [line],
    },
    'leaving the line out by an answer': {
      begin: substitute,
      end: (_, made) => fixture.answered(made, ['leave_out']),
      back: [line, offered],
    },
    'accepting the substitute': {
      begin: substitute,
      end: (_, made) => fixture.answered(made, ['accept']),
      back: [line],
    },
    'withdrawing the proposal': {
      begin: substitute,
      end: (_, made) => fixture.withdraw(made),
      back: [offered],
    },
    'no answer in time': {
      begin: substitute,
      end: async (_, made) => {
        await fixture.endNow(made);
        await fixture.expire(made);
      },
      back: [line, offered],
    },
    'declining by cancelling': {
      begin: substitute,
      end: (_, made) => fixture.answer(made, { cancelOrder: true }),
      back: [line, offered],
    },
    'the deletion of its customer': {
      end: async ({ order }) => {
        const gone = await fixture.join('consumer');
        await db().order.update({ where: { id: order._id }, data: { consumerId: gone.id } });
        await fixture.call('DELETE', `/users/${gone.id}`, { as: admin });
      },
      back: [line],
    },
  };

  const unreturnedIn = (order: Order): readonly UnreturnedGoods[] =>
    order.timeline.flatMap((entry) =>
      'detail' in entry && entry.detail && 'unreturned' in entry.detail
        ? (entry.detail.unreturned ?? [])
        : [],
    );

  describe.each<[Unit, Unit, number]>([
    ['g', 'kg', 0.2],
    ['kg', 'g', 200_000],
    ['bunch', 'kg', 0],
    ['lb', 'kg', 0],
    ['kg', 'bunch', 0],
  ])('in %s, with a product in %s', (before, now, returned) => {
    test.each(Object.entries(WAYS))('%s gives back what converts', async (_, way) => {
      const old = await from(before, now, way);
      const made = (await way.begin?.(old)) ?? old.order;
      await changeUnit(old);
      const stocks = () => fixture.stocksOf([old.product, old.beets]);
      const stocked = await stocks();
      await way.end(old, made);
      const change = (await stocks()).map((stock, index) => stock - (stocked[index] ?? 0));
      const isBack = [line, offered].map((name) => way.back.includes(name));
      expect(change.map((each) => Math.round(each * 1000) / 1000)).toEqual(
        isBack.map((is) => (is ? returned : 0)),
      );
      const names = unreturnedIn(await fixture.read(old.order, farmer)).map(
        ({ product, quantity }) => [product.name, product.unit, quantity],
      );
      expect(names.sort()).toEqual(
        returned === 0 ? way.back.map((name) => [name, before, 200]).sort() : [],
      );
    });
  });

  test('can be less of it, and not more', async () => {
    const old = await from('bunch', 'kg');
    await changeUnit(old);
    const change = (quantity: number, over: object = {}) =>
      fixture.put(`/orders/${old.order._id}/items`, consumer, {
        items: [
          { product: old.product, quantity, ...over },
          { product: old.eggs, quantity: 1 },
        ],
      });
    const more = await change(201, { price: 2.5, priceBasis: { unit: 'kg' } });
    expect([more.status, more.body.code]).toEqual([409, 'PRICE_CHANGED']);
    const less = await change(150);
    expect(less.body.data.items[0]).toMatchObject({ quantity: 150, product: { unit: 'bunch' } });
    expect(await fixture.stockOf(old.product)).toBe(800);
    expect(less.body.data.timeline.at(-1).detail.unreturned).toEqual([
      { product: { _id: old.product, name: 'Kale', unit: 'bunch' }, quantity: 50 },
    ]);
  });

  test('is offered again in the unit of today', async () => {
    const again = async (old: Old) =>
      (await fixture.call('POST', `/orders/${old.order._id}/again`, { as: consumer })).body.data
        .items[0];
    const grams = await from('g', 'kg');
    await changeUnit(grams);
    await db().product.update({ where: { id: grams.product }, data: { stepMilli: 100 } });
    expect(await again(grams)).toMatchObject({ quantity: 0.2, orderedQuantity: 0.2 });
    const bunches = await from('bunch', 'kg');
    await changeUnit(bunches);
    expect(await again(bunches)).toMatchObject({
      quantity: 1,
      orderedQuantity: 0,
      outcome: 'quantity_changed',
      orderedAs: { quantity: 200, unit: 'bunch' },
    });
  });
});

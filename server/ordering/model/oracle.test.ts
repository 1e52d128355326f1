import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Order, type PlaceOrder } from '#contract/ordering/orders/orders';
import { PRICE_MAX_MINOR } from '#contract/platform/money/constants';
import { ALWAYS_MILLI, type SizeRow, toSizesRow } from '../../catalogue/products/sizes.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import type { AppError } from '../../platform/http/errors.ts';
import { placeOrder } from '../place/place.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';
import { placeByReference } from '../testing/place-by-reference.ts';
import { orderInclude, presentOrder, readOrders } from './present.ts';

type Outcome =
  | { order: Order; events: NewEvent[] }
  | { refused: [string, string, unknown, unknown] };

const refused = (thrown: unknown): Outcome => {
  const { code, message, errors, problems } = thrown as AppError;
  return { refused: [code, message, errors, problems] };
};

/** Sizes as a row has them; one of them is on. */
const sizesOf = (sizes: readonly Omit<SizeRow, 'id' | 'label' | 'sku'>[]): SizeRow[] =>
  sizes.map((size, index) => ({
    ...size,
    ...{ id: crypto.randomUUID(), label: `Size ${index}`, sku: null },
    isActive: size.isActive || index === 0,
  }));

class Undo extends Error {}

// Many carts, each placed twice: on a busy machine that takes its time.
let fixture: OrderFixture;

beforeAll(async () => {
  fixture = await createOrderFixture();
});

afterAll(() => fixture.close());

async function byReference(input: PlaceOrder): Promise<Outcome> {
  let outcome: Outcome | undefined;
  try {
    await fixture.platform.db.$transaction(async (tx) => {
      outcome = await placeByReference(tx, fixture.consumer.id, input);
      throw new Undo();
    });
  } catch (thrown) {
    if (!(thrown instanceof Undo)) return refused(thrown);
  }
  if (!outcome) throw new Error('The reference implementation has no outcome');
  return outcome;
}

async function byService(input: PlaceOrder): Promise<Outcome> {
  const head = await fixture.head();
  const { id } = fixture.consumer;
  const buyer = {
    id,
    role: 'consumer' as const,
    name: '',
    membership: null,
    sessionId: '',
    language: null,
  };
  try {
    const order = await placeOrder(fixture.platform, buyer, input, undefined);
    return { order, events: (await fixture.eventsAfter(head)) as NewEvent[] };
  } catch (thrown) {
    expect(await fixture.eventsAfter(head)).toEqual([]);
    return refused(thrown);
  }
}

/** The same but for what differs by chance: new ids and the moment. */
function comparable(outcome: Outcome): unknown {
  if ('refused' in outcome) return outcome;
  const { order } = outcome;
  const names = new Map([
    [order._id, 'the order'],
    [order.createdAt, 'its moment'],
    [order.timeline[0]?.at ?? '', 'its moment'],
    ...order.items.map((item, index) => [item._id, `line ${index}`] as const),
  ]);
  return JSON.parse(JSON.stringify(outcome), (_, value) => names.get(value) ?? value);
}

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replaceAll('\u0000', '').trim() || 'x');
const someProduct = fc.record({
  name: words,
  description: words,
  priceMinor: fc.oneof(
    fc.integer({ min: 1, max: 2000 }),
    fc.integer({ min: 1, max: PRICE_MAX_MINOR }),
  ),
  unit: fc.constantFrom('lb', 'dozen', 'each'),
  quantityAvailable: fc.oneof(
    fc.integer({ min: 5, max: 50 }),
    fc.integer({ min: 0, max: 1_000_000 }),
  ),
  images: fc.array(fc.webUrl({ validSchemes: ['https'] }), { maxLength: 3 }),
  isOrganic: fc.boolean(),
  harvestDate: fc.constantFrom(null, new Date('2024-02-29T00:00:00Z')),
});
/** How a product is sold, in thousandths: mostly in whole units, else in steps, some with a smallest order. */
const someSteps = fc.oneof(
  fc.constant({ stepMilli: null, minimumMilli: null }),
  fc
    .record({ stepMilli: fc.constantFrom(1, 100, 250, 300, 500, 2000), steps: fc.nat(4) })
    .map(({ stepMilli, steps }) => ({ stepMilli, minimumMilli: steps * stepMilli || null })),
);
/** Sizes of a product, and how many of some of them are ordered: from one stock. */
const someSizes = fc.record({
  sizes: fc.array(
    fc.record({
      contentMilli: fc.constantFrom(1, 250, 1000, 2000, 5000),
      priceMinor: fc.integer({ min: 1, max: 2000 }),
      isActive: fc.oneof(
        { weight: 9, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      minimum: fc.constantFrom(null, null, 2),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  /** A size behind the last is none of the product's. */
  picks: fc.uniqueArray(
    fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(4) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  namesNone: fc.oneof(
    { weight: 12, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});
const someLine = fc.record({
  sizes: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: someSizes }),
  /** Of what is always available, the most in one order in whole units; 0 for any. */
  always: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat(40) },
  ),
  product: someProduct,
  steps: someSteps,
  /** What the quantity is off its step, in thousandths. */
  off: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(999) }),
  /** What a cancelled order of other steps has left in stock, in thousandths. */
  rest: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(999) }),
  quantity: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_000_000 }) },
  ),
  price: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('none', 'right') },
    { weight: 1, arbitrary: fc.constant('wrong') },
  ),
  flaw: fc.oneof(
    { weight: 25, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('inactive', 'expired', 'foreign', 'unknown', 'without category'),
    },
  ),
});
const someCart = fc.record({
  lines: fc.array(someLine, { minLength: 1, maxLength: 6 }),
  notes: words,
  paymentMethod: fc.constantFrom('cash', 'bank_transfer', 'other'),
  isPickup: fc.boolean(),
  place: words,
  offers: fc.oneof(
    { weight: 8, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  farmName: fc.oneof(fc.constant(''), words),
  /** The end of the farm's pause, in hours from now. */
  pauseHours: fc.oneof(
    { weight: 20, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
  ),
});

test('gives the orders, events and errors of the reference implementation for any cart', async () => {
  const { db } = fixture.platform;
  const other = await fixture.join('farmer');
  const tally = { placed: 0, refused: 0, placedInSizes: 0 };
  await fc.assert(
    fc.asyncProperty(someCart, async (cart) => {
      const farm = {
        farmName: cart.farmName,
        acceptsPickup: cart.offers || !cart.isPickup,
        acceptsDelivery: cart.offers || cart.isPickup,
        pausedAt: new Date(Date.now() - 7_200_000),
        pausedUntil:
          cart.pauseHours === null ? null : new Date(Date.now() + cart.pauseHours * 3_600_000),
      };
      await db.farmerProfile.upsert({
        where: { userId: fixture.farmer.id },
        create: { userId: fixture.farmer.id, ...farm },
        update: farm,
      });
      const items: PlaceOrder['items'] = [];
      for (const { product, off, rest, quantity, price, flaw, ...line } of cart.lines) {
        const { quantityAvailable, ...fields } = product;
        const sizes = sizesOf(line.sizes?.sizes ?? []);
        const steps = sizes.length > 0 ? { stepMilli: null, minimumMilli: null } : line.steps;
        // The smallest order costs something.
        const priceMinor = Math.max(
          product.priceMinor,
          Math.ceil(500 / (steps.minimumMilli ?? steps.stepMilli ?? 1000)),
        );
        const id = await fixture.createProduct(quantityAvailable + rest / 1000, {
          ...fields,
          ...steps,
          priceMinor,
          ...(sizes.length > 0 ? toSizesRow(sizes) : {}),
          ...(line.always === null ? {} : { isAlways: true, stockMilli: ALWAYS_MILLI }),
          ...(line.always ? { maxOrderMilli: line.always * 1000 } : {}),
          ...(flaw === 'inactive' ? { isActive: false } : {}),
          ...(flaw === 'expired' ? { availableUntil: new Date(Date.now() - 2 * 86_400_000) } : {}),
          ...(flaw === 'expired' ? { harvestDate: null } : {}),
          ...(flaw === 'foreign' ? { farmerId: other.id } : {}),
          ...(flaw === 'without category' ? { categoryId: null } : {}),
        });
        const named = (line.sizes?.picks ?? []).map((at) => sizes[at] ?? null);
        const picked = new Set(line.sizes?.namesNone ? [undefined, ...named] : named);
        for (const size of picked) {
          const right = (size?.priceMinor ?? priceMinor) / 100;
          items.push({
            product: flaw === 'unknown' ? crypto.randomUUID() : id,
            ...(size === undefined ? {} : { size: size?.id ?? crypto.randomUUID() }),
            quantity: Math.min(quantity * 1000 + off, 1_000_000_000) / 1000,
            ...(price === 'none' ? {} : { price: price === 'right' ? right : right + 0.01 }),
          });
        }
        if (sizes.length > 0) continue;
        const right = priceMinor / 100;
        const milli = quantity * (steps.stepMilli ?? 1000) + off;
        items.push({
          product: flaw === 'unknown' ? crypto.randomUUID() : id,
          quantity: Math.min(milli, 1_000_000_000) / 1000,
          ...(price === 'none' ? {} : { price: price === 'right' ? right : right + 0.01 }),
        });
      }
      const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      const { place } = cart;
      const input: PlaceOrder = {
        farmer: fixture.farmer.id,
        items,
        notes: cart.notes,
        paymentMethod: cart.paymentMethod as PlaceOrder['paymentMethod'],
        ...(cart.isPickup
          ? { pickupDetails: { date, time: '09:05', location: place } }
          : {
              deliveryDetails: {
                date,
                time: '23:59',
                address: { street: place, city: place, state: place, zipCode: place },
              },
            }),
      };
      const expected = await byReference(input);
      const actual = await byService(input);
      expect(comparable(actual)).toEqual(comparable(expected));
      tally['order' in actual ? 'placed' : 'refused']++;
      if ('order' in actual && actual.order.items.some(({ size }) => size)) tally.placedInSizes++;
    }),
    { numRuns: 100 },
  );
  await db.farmerProfile.update({
    where: { userId: fixture.farmer.id },
    data: { pausedUntil: null },
  });
  // Neither kind of outcome is a rarity, so that both were compared.
  expect(tally.placed).toBeGreaterThan(10);
  expect(tally.placedInSizes).toBeGreaterThan(3);
  expect(tally.refused).toBeGreaterThan(10);
});

test('presents an order equally when read by SQL or by Prisma, in every status', async () => {
  const { db } = fixture.platform;
  const leaving = await fixture.join('consumer');
  await db.farmerProfile.updateMany({
    where: { userId: fixture.farmer.id },
    data: { acceptsPickup: true },
  });
  const product = await fixture.createProduct(50, { images: ['https://a.test/b.png'] });
  const orders: Order[] = [];
  for (const steps of [[], ['accepted'], ['accepted', 'completed'], ['rejected']]) {
    const order = await fixture.placeOrder([{ product, quantity: 1 }], leaving);
    for (const step of steps)
      await fixture.changeStatus(order._id, step, fixture.admin, 'Grüße \\ "x"');
    orders.push(order);
  }
  await fixture.changeStatus(orders[0]?._id ?? '', 'cancelled', leaving);
  await db.product.delete({ where: { id: product } });
  await db.user.update({ where: { id: leaving.id }, data: { deletedAt: new Date() } });
  const rows = await db.order.findMany({ include: orderInclude, orderBy: { id: 'asc' } });
  const read = await readOrders(
    db,
    rows.map(({ id }) => id),
  );
  read.sort((one, other) => (one.id < other.id ? -1 : 1));
  expect(rows.some((row) => row.consumer.deletedAt)).toBe(true);
  expect(read.map(presentOrder)).toEqual(rows.map(presentOrder));
  for (const row of read) Order.parse(presentOrder(row));
});

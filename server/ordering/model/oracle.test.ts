import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSamePlace } from '#contract/farm/places/constants/areas';
import { Order, type PlaceOrder } from '#contract/ordering/orders/orders';
import type { FreePickup } from '#contract/ordering/orders/pickup';
import { room } from '#contract/platform/events/constants';
import { PRICE_MAX_MINOR, toMinor } from '#contract/platform/money/constants';
import { TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { presentProduct, productInclude } from '../../catalogue/products/present.ts';
import { farmPaused } from '../../farm/pause/policy.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import type { AppError } from '../../platform/http/errors.ts';
import { placeOrder } from '../place/place.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';
import { orderInclude, presentOrder, readOrders } from './present.ts';
import { type LineProblem, lineRefusal, orderRefusal } from './refusal.ts';

// The reference implementation: one simple statement after the other, right only while nobody else buys.
// Placing an order must agree with it on every cart.
async function placeByReference(
  tx: Transaction,
  consumerId: string,
  input: PlaceOrder,
): Promise<{ order: Order; events: NewEvent[] }> {
  const farmer = await tx.user.findFirst({
    where: { id: input.farmer, role: 'farmer', deletedAt: null },
    include: { farm: true },
  });
  if (!farmer) throw orderRefusal('FARMER_UNKNOWN');
  const end = farmer.farm?.pausedUntil;
  if (end && end > new Date()) throw farmPaused(end, 'UTC', new Date());
  const { deliveryDetails: delivery } = input;
  // The farms of this test have no places.
  const pickup = input.pickupDetails as FreePickup | undefined;
  if (pickup && !(farmer.farm?.acceptsPickup ?? true)) throw orderRefusal('PICKUP_NOT_OFFERED');
  if (delivery && !farmer.farm?.acceptsDelivery) throw orderRefusal('DELIVERY_NOT_OFFERED');

  const rows = await tx.product.findMany({
    where: { id: { in: input.items.map((item) => item.product) } },
  });
  const problems: LineProblem[] = [];
  const lines = input.items.flatMap((item, line) => {
    const row = rows.find(({ id }) => id === item.product);
    const found = (...codes: LineProblem['code'][]) => {
      problems.push(
        ...codes.map((code) => ({
          line,
          code,
          product: row
            ? { ...row, stockMilli: Number(row.stockMilli), availableUntil: null }
            : null,
        })),
      );
      return [];
    };
    if (!row?.isActive) return found('PRODUCT_UNAVAILABLE');
    if (row.availableUntil && row.availableUntil < new Date(dayIn('UTC')))
      return found('PRODUCT_UNAVAILABLE');
    if (row.farmerId !== input.farmer) return found('OTHER_FARM');
    const isRepriced = item.price !== undefined && toMinor(item.price) !== row.priceMinor;
    const milli = Math.round(item.quantity * 1000);
    const stepMilli = row.stepMilli ?? 1000;
    const isSoldOut = row.stockMilli < (row.minimumMilli ?? stepMilli);
    const isShort = isSoldOut || row.stockMilli < milli;
    const isOdd = milli % stepMilli !== 0 || milli < (row.minimumMilli ?? stepMilli);
    if (isRepriced || isShort || isOdd) {
      return found(
        ...(isRepriced ? (['PRICE_CHANGED'] as const) : []),
        ...(isShort ? (['OUT_OF_STOCK'] as const) : []),
        ...(isOdd && !isSoldOut ? (['QUANTITY_NOT_OFFERED'] as const) : []),
      );
    }
    return [{ row, milli }];
  });
  if (problems.length > 0) throw lineRefusal(problems);
  const total = lines.reduce(
    (sum, { row, milli }) => sum + (BigInt(row.priceMinor) * BigInt(milli) + 500n) / 1000n,
    0n,
  );
  if (total > TOTAL_MAX_MINOR) throw orderRefusal('TOTAL_TOO_LARGE');

  for (const { row, milli } of lines) {
    await tx.product.update({
      where: { id: row.id },
      data: { stockMilli: { decrement: milli }, version: { increment: 1 } },
    });
  }
  const details = pickup ?? delivery;
  const seller = await tx.user.findUnique({ where: { id: input.farmer }, include: { farm: true } });
  const own = [formatAddress(seller), seller?.farm?.farmName ?? '', seller?.name ?? ''];
  const { id } = await tx.order.create({
    data: {
      consumerId,
      farmerId: input.farmer,
      totalMinor: total,
      paymentMethod: input.paymentMethod,
      notes: input.notes,
      isPickup: pickup !== undefined,
      date: new Date(`${details?.date}T00:00:00Z`),
      time: details?.time ?? '',
      pickupLocation: pickup?.location ?? '',
      ...delivery?.address,
      isOwnPlace: pickup !== undefined && !own.some((one) => isSamePlace(one, pickup.location)),
      isAreaOpen: delivery !== undefined && !delivery.isAreaConfirmed,
      lines: {
        create: lines.map(({ row, milli }, index) => ({
          position: index + 1,
          productId: row.id,
          name: row.name,
          image: row.images[0] ?? null,
          unit: row.unit,
          priceMinor: row.priceMinor,
          quantityMilli: milli,
        })),
      },
      timeline: { create: { sequence: 1, version: 1, status: 'pending', byId: consumerId } },
    },
  });
  const order = presentOrder(
    await tx.order.findUniqueOrThrow({ where: { id }, include: orderInclude }),
  );
  const stock = await tx.product.findMany({
    where: { id: { in: lines.map(({ row }) => row.id) } },
    include: productInclude,
    orderBy: { id: 'asc' },
  });
  const events: NewEvent[] = [
    {
      name: 'order.created',
      data: order,
      rooms: [room.farm(input.farmer), room.user(consumerId), room.admins],
    },
    ...stock.map(
      (row): NewEvent => ({
        name: 'product.updated',
        data: presentProduct(row),
        rooms: [room.product(row.id), room.farm(row.farmerId)],
      }),
    ),
  ];
  await record(tx, ...events);
  return { order, events };
}

type Outcome =
  | { order: Order; events: NewEvent[] }
  | { refused: [string, string, unknown, unknown] };

const refused = (thrown: unknown): Outcome => {
  const { code, message, errors, problems } = thrown as AppError;
  return { refused: [code, message, errors, problems] };
};

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
const someLine = fc.record({
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
  const tally = { placed: 0, refused: 0 };
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
      for (const { product, steps, off, rest, quantity, price, flaw } of cart.lines) {
        const { quantityAvailable, ...fields } = product;
        // The smallest order costs something.
        const priceMinor = Math.max(
          product.priceMinor,
          Math.ceil(500 / (steps.minimumMilli ?? steps.stepMilli ?? 1000)),
        );
        const id = await fixture.createProduct(quantityAvailable + rest / 1000, {
          ...fields,
          ...steps,
          priceMinor,
          ...(flaw === 'inactive' ? { isActive: false } : {}),
          ...(flaw === 'expired' ? { availableUntil: new Date(Date.now() - 2 * 86_400_000) } : {}),
          ...(flaw === 'expired' ? { harvestDate: null } : {}),
          ...(flaw === 'foreign' ? { farmerId: other.id } : {}),
          ...(flaw === 'without category' ? { categoryId: null } : {}),
        });
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
    }),
    { numRuns: 100 },
  );
  await db.farmerProfile.update({
    where: { userId: fixture.farmer.id },
    data: { pausedUntil: null },
  });
  // Neither kind of outcome is a rarity, so that both were compared.
  expect(tally.placed).toBeGreaterThan(10);
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

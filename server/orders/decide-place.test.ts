import { describe, expect, test } from 'vitest';
import { PlaceOrder, TOTAL_MAX_MINOR } from '#contract/orders';
import type { ShelfRow } from '../products/stock-events.ts';
import { decidePlaceOrder, type FarmState, type PlacingState, sumOf } from './decide-place.ts';
import { lineRefusal } from './refusal.ts';

const FARM = '00000000-0000-4000-8000-0000000000f1';
const BUYER = '00000000-0000-4000-8000-0000000000c1';
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const person = (over: object = {}) => ({
  id: BUYER,
  name: 'Cleo',
  role: 'consumer' as const,
  email: 'cleo@farmgate.test',
  phone: '',
  deletedAt: null,
  ...over,
});

const product = (number: number, over: Partial<ShelfRow> = {}): ShelfRow => ({
  id: id(number),
  farmerId: FARM,
  name: `Product ${number}`,
  description: '',
  priceMinor: 250,
  unit: 'lb',
  stockMilli: 10_000,
  stepMilli: null,
  minimumMilli: null,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  hiddenReason: null,
  asideMilli: null,
  returnsAt: null,
  version: 3,
  createdAt: '2026-11-01T10:00:00.000Z',
  category: null,
  farmer: {
    id: FARM,
    name: 'Fern',
    street: '',
    city: '',
    state: '',
    zipCode: '',
    farm: {
      farmName: 'Green Valley',
      acceptsPickup: true,
      acceptsDelivery: false,
      deliveryRadius: null,
      businessHours: {},
      timeZone: 'UTC',
      cutoffDaysBefore: null,
      cutoffTime: null,
      closedDays: [],
    },
  },
  appearance: 'as read',
  ...over,
});

const farm = (over: Partial<FarmState> = {}): FarmState => ({
  acceptsPickup: true,
  acceptsDelivery: false,
  deliveryAreas: [],
  timeZone: 'UTC',
  businessHours: {},
  cutoffDaysBefore: null,
  cutoffTime: null,
  closedDays: [],
  terms: 'as read',
  hasSlots: false,
  ...over,
});

const state = (over: Partial<PlacingState> = {}): PlacingState => ({
  now: new Date('2026-11-22T23:59:59.000Z'),
  consumer: person(),
  command: null,
  farmer: { ...person({ id: FARM, name: 'Fern', role: 'farmer' }), farm: null },
  farm: farm(),
  products: [product(1), product(2)],
  slot: null,
  ...over,
});

const pickup = (date = '2026-11-22') => ({ date, time: '10:00', location: 'Farm gate' });
const order = (over: object = {}): PlaceOrder =>
  PlaceOrder.parse({
    farmer: FARM,
    items: [
      { product: id(2), quantity: 3, price: 2.5 },
      { product: id(1), quantity: 1 },
    ],
    pickupDetails: pickup(),
    ...over,
  });
const byDelivery = order({
  pickupDetails: undefined,
  deliveryDetails: {
    address: { street: '1', city: '2', state: '3', zipCode: '4' },
    date: '2026-11-23',
    time: '10:00',
  },
});

const decide = (over: Partial<PlacingState> = {}, input = order(), hash = 'this request') =>
  decidePlaceOrder(state(over), input, hash);

test('plans the lines in the order of the request', () => {
  expect(decide()).toEqual({
    plan: {
      at: state().now,
      consumer: state().consumer,
      farmer: state().farmer,
      lines: [
        { product: product(2), quantityMilli: 3000 },
        { product: product(1), quantityMilli: 1000 },
      ],
      totalMinor: 1000,
      farmTerms: 'as read',
      startsAt: new Date('2026-11-22T10:00:00.000Z'),
      slot: null,
      ordersUntil: null,
      timer: null,
    },
  });
});

describe('is rejected as a whole', () => {
  const gone = '2026-11-01T00:00:00.000Z';
  test.each([
    ['without an account', { consumer: null }, order(), 'CONSUMER_GONE'],
    ['of a deleted account', { consumer: person({ deletedAt: gone }) }, order(), 'CONSUMER_GONE'],
    ['for yesterday', {}, order({ pickupDetails: pickup('2026-11-21') }), 'PAST_PICKUP'],
    [
      'for the day that has just ended',
      { now: new Date('2026-11-24T00:00:00.000Z') },
      byDelivery,
      'PAST_DELIVERY',
    ],
    ['from no farm', { farmer: null }, order(), 'FARMER_UNKNOWN'],
    [
      'from somebody who is no farmer',
      { farmer: { ...person(), farm: null } },
      order(),
      'FARMER_UNKNOWN',
    ],
    [
      'from a deleted farm',
      { farmer: { ...person({ role: 'farmer', deletedAt: gone }), farm: null } },
      order(),
      'FARMER_UNKNOWN',
    ],
    [
      'to be picked up where nothing is',
      { farm: farm({ acceptsPickup: false, acceptsDelivery: true }) },
      order(),
      'PICKUP_NOT_OFFERED',
    ],
    ['to be delivered where nothing is', {}, byDelivery, 'DELIVERY_NOT_OFFERED'],
    [
      'to be delivered by a farm without a profile',
      { farm: null },
      byDelivery,
      'DELIVERY_NOT_OFFERED',
    ],
    [
      'to be delivered outside the areas of the farm',
      { farm: farm({ acceptsDelivery: true, deliveryAreas: ['5', '6'] }) },
      byDelivery,
      'OUT_OF_AREA',
    ],
    [
      'to be delivered where the buyer says that it is too far',
      { farm: farm({ acceptsDelivery: true }) },
      order({
        pickupDetails: undefined,
        deliveryDetails: { ...byDelivery.deliveryDetails, isAreaConfirmed: false },
      }),
      'OUT_OF_AREA',
    ],
    [
      'of the same product twice',
      {},
      { ...order(), items: [1, 2].map((quantity) => ({ product: id(1), quantity })) },
      'PRODUCT_TWICE',
    ],
    [
      'of more than a total can hold',
      { products: [1, 2].map((number) => product(number, { priceMinor: TOTAL_MAX_MINOR })) },
      order({ items: [{ product: id(1), quantity: 2 }] }),
      'TOTAL_TOO_LARGE',
    ],
  ] as const)('%s', (_, over, input, refusal) => {
    expect(decide(over as Partial<PlacingState>, input as PlaceOrder)).toEqual({ refusal });
  });

  test('checks the idempotency key before everything but the account', () => {
    const command = { requestHash: 'this request', body: { data: 'the first answer' } };
    const nothingIsLeft = { farmer: null, products: [], now: new Date('2030-01-01') };
    expect(decide({ command, ...nothingIsLeft })).toEqual({ repeat: command });
    expect(decide({ command, ...nothingIsLeft }, order(), 'another request')).toEqual({
      refusal: 'KEY_REUSED',
    });
    expect(decide({ command, consumer: null })).toEqual({ refusal: 'CONSUMER_GONE' });
  });
});

const in2026 = (zone: string, now: string): Partial<PlacingState> => ({
  now: new Date(now),
  farm: farm({ acceptsDelivery: true, timeZone: zone }),
});

describe("counts days by the farm's clock", () => {
  test.each([
    // It is half past midnight on the 23rd in Karachi, and still the 22nd in Los Angeles.
    ['Asia/Karachi', '2026-11-22T19:30:00Z', '2026-11-22', true],
    ['Asia/Karachi', '2026-11-22T19:30:00Z', '2026-11-23', false],
    ['Asia/Karachi', '2026-11-22T18:59:59.999Z', '2026-11-22', false],
    ['America/Los_Angeles', '2026-11-23T07:59:59.999Z', '2026-11-22', false],
    ['America/Los_Angeles', '2026-11-23T08:00:00Z', '2026-11-22', true],
    // East of the date line it is a day and two hours later than in the west of it.
    ['Pacific/Kiritimati', '2026-11-22T10:00:00Z', '2026-11-22', true],
    ['Pacific/Pago_Pago', '2026-11-23T10:59:59Z', '2026-11-22', false],
    // Both nights on which the clocks of Berlin change begin at their own midnight.
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-28', true],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-29', true],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-24', true],
    ['Europe/Berlin', '2026-10-25T22:30:00Z', '2026-10-25', false],
  ])('in %s at %s, %s is past: %s', (zone, now, date, isPast) => {
    const over = in2026(zone, now);
    const products = [product(1, { availableUntil: date }), product(2)];
    const forDate = decide({ ...over, products }, order({ pickupDetails: pickup(date) }));
    if (isPast) expect(forDate).toEqual({ refusal: 'PAST_PICKUP' });
    else expect(forDate).toHaveProperty('plan');
    // A product's last day ends with the same day.
    const later = decide({ ...over, products }, order({ pickupDetails: pickup('2026-12-24') }));
    expect(later).toMatchObject({
      problems: [{ line: 1, code: isPast ? 'PRODUCT_UNAVAILABLE' : 'NOT_AVAILABLE_THEN' }],
    });
  });

  test.each([
    ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '03:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-23', '10:00', '2026-11-22T20:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-23', '10:00', '2026-11-23T04:15:00.000Z'],
  ])('in %s a pickup on %s at %s starts at %s', (zone, date, time, startsAt) => {
    const input = order({ pickupDetails: { ...pickup(date), time } });
    expect(decide(in2026(zone, '2026-01-01T00:00:00Z'), input)).toMatchObject({
      plan: { startsAt: new Date(startsAt) },
    });
  });

  test('takes a farm without a profile to be in UTC', () => {
    const now = new Date('2026-11-22T23:59:59Z');
    expect(decide({ now, farm: null })).toMatchObject({
      plan: { farmTerms: null, startsAt: new Date('2026-11-22T10:00:00.000Z') },
    });
  });
});

describe("keeps to the farm's days", () => {
  const hours = {
    monday: { open: '08:00', close: '12:00' },
    saturday: { open: '08:00', close: '14:00' },
  };
  // Sunday, 19:30 in Berlin.
  const now = new Date('2026-11-22T18:30:00Z');
  const kept = { timeZone: 'Europe/Berlin', businessHours: hours, closedDays: ['2026-11-30'] };
  const cutoff = { cutoffDaysBefore: 1, cutoffTime: '18:00' };
  const refused = (
    date: string,
    time: string,
    over: Partial<FarmState> = {},
    input?: PlaceOrder,
  ) => {
    const decision = decide(
      { now, farm: farm({ ...kept, ...over }) },
      input ?? order({ pickupDetails: { ...pickup(date), time } }),
    );
    if ('plan' in decision) return undefined;
    if (!('moment' in decision)) throw new Error(JSON.stringify(decision));
    const { code, message, field, next } = decision.moment;
    return { code, message, field, next: next?.date ?? null };
  };

  test.each([
    ['2026-11-28', '08:00'],
    ['2026-11-28', '14:00'],
    ['2026-11-23', '10:00'],
  ])('takes %s at %s', (date, time) => {
    expect(refused(date, time)).toBeUndefined();
  });

  test.each([
    [
      'a day of the week without hours',
      ['2026-11-29', '10:00', {}],
      [
        'DAY_CLOSED',
        'The farm is closed on Sundays. The next possible day is Sat, Dec 5.',
        'date',
        '2026-12-05',
      ],
    ],
    [
      'a closed day',
      ['2026-11-30', '10:00', {}],
      [
        'DAY_CLOSED',
        'The farm is closed on Mon, Nov 30. The next possible day is Sat, Dec 5.',
        'date',
        '2026-12-05',
      ],
    ],
    [
      'a time outside the hours',
      ['2026-11-28', '14:01', {}],
      [
        'DAY_CLOSED',
        'On Sat, Nov 28 the farm is open from 8:00 AM to 2:00 PM. Choose a time in between.',
        'time',
        '2026-11-28',
      ],
    ],
    [
      'a day whose cut-off has passed',
      ['2026-11-23', '10:00', cutoff],
      [
        'CUTOFF_PASSED',
        'Orders for Mon, Nov 23 closed on Sun, Nov 22 at 6:00 PM. The next possible day is Sat, Nov 28.',
        'date',
        '2026-11-28',
      ],
    ],
    [
      'a closed day first, whatever its cut-off',
      ['2026-11-23', '10:00', { ...cutoff, closedDays: ['2026-11-23'] }],
      [
        'DAY_CLOSED',
        'The farm is closed on Mon, Nov 23. The next possible day is Sat, Nov 28.',
        'date',
        '2026-11-28',
      ],
    ],
    [
      'a time of today that has passed',
      ['2026-11-22', '19:00', { businessHours: { sunday: { open: '18:00', close: '20:00' } } }],
      [
        'CUTOFF_PASSED',
        'It is 7:30 PM at the farm already. Choose a later time.',
        'time',
        '2026-11-22',
      ],
    ],
    [
      'any day of a farm that is never open',
      [
        '2026-11-28',
        '10:00',
        { cutoffDaysBefore: 14, cutoffTime: '00:00', businessHours: {}, closedDays: manyDays() },
      ],
      [
        'DAY_CLOSED',
        'The farm is closed on Sat, Nov 28. Ask the farm when it is open again.',
        'date',
        null,
      ],
    ],
  ] as const)('refuses %s', (_, [date, time, over], [code, message, field, next]) => {
    expect(refused(date, time, over)).toEqual({ code, message, field, next });
  });

  test('refuses deliveries alike', () => {
    const decision = decide(
      { now, farm: farm({ ...kept, ...cutoff, acceptsDelivery: true }) },
      byDelivery,
    );
    expect(decision).toMatchObject({ way: 'delivery', moment: { code: 'CUTOFF_PASSED' } });
  });

  test('before it looks at the lines', () => {
    expect(
      decide(
        { now, farm: farm({ ...kept, ...cutoff }), products: [] },
        order({ pickupDetails: pickup('2026-11-23') }),
      ),
    ).toHaveProperty('moment');
  });

  test('takes an order until the millisecond of its cut-off', () => {
    const at = (instant: string) =>
      decide(
        { now: new Date(instant), farm: farm({ ...kept, ...cutoff }) },
        order({ pickupDetails: pickup('2026-11-28') }),
      );
    expect(at('2026-11-27T16:59:59.999Z')).toMatchObject({
      plan: {
        ordersUntil: new Date('2026-11-27T17:00:00Z'),
        timer: { key: `order.cutoff:${FARM}:2026-11-28`, dueAt: new Date('2026-11-27T17:00:00Z') },
      },
    });
    expect(at('2026-11-27T17:00:00.000Z')).toMatchObject({ moment: { code: 'CUTOFF_PASSED' } });
  });

  test('takes any time of a day that is not over from a farm without hours and cut-off', () => {
    const late = {
      now: new Date('2026-11-22T23:59:59Z'),
      farm: farm({ closedDays: ['2026-11-23'] }),
    };
    const earlier = order({ pickupDetails: { ...pickup(), time: '00:00' } });
    expect(decide(late, earlier)).toMatchObject({ plan: { ordersUntil: null, timer: null } });
    expect(decide({ ...late, farm: null }, earlier)).toHaveProperty('plan');
    expect(decide(late, order({ pickupDetails: pickup('2026-11-23') }))).toMatchObject({
      moment: { code: 'DAY_CLOSED' },
    });
  });

  function manyDays(): string[] {
    return Array.from({ length: 60 }, (_, at) =>
      new Date(Date.UTC(2026, 10, 22 + at)).toISOString().slice(0, 10),
    );
  }
});

describe('reports every problem of every line', () => {
  test.each<[string, object | null, string[], string?]>([
    ['is gone', null, ['PRODUCT_UNAVAILABLE']],
    ['is hidden', { isActive: false }, ['PRODUCT_UNAVAILABLE']],
    ['had its last day', { availableUntil: '2026-11-21' }, ['PRODUCT_UNAVAILABLE']],
    ['has its last day', { availableUntil: '2026-11-22' }, []],
    ['is of another farm', { farmerId: id(9) }, ['OTHER_FARM']],
    ['is gone by that day', { availableUntil: '2026-11-22' }, ['NOT_AVAILABLE_THEN'], '2026-11-23'],
    ['is there until that day', { availableUntil: '2026-11-23' }, [], '2026-11-23'],
    [
      'is gone by that day, and dearer',
      { availableUntil: '2026-11-22', priceMinor: 251 },
      ['NOT_AVAILABLE_THEN', 'PRICE_CHANGED'],
      '2026-11-23',
    ],
    ['has another price', { priceMinor: 251 }, ['PRICE_CHANGED']],
    ['is short', { stockMilli: 2000 }, ['OUT_OF_STOCK']],
    ['is there to the last', { stockMilli: 3000 }, []],
    ['is dearer and short', { priceMinor: 300, stockMilli: 0 }, ['PRICE_CHANGED', 'OUT_OF_STOCK']],
    ['is sold in halves', { stepMilli: 500 }, []],
    ['is sold from three on', { minimumMilli: 3000 }, []],
    ['is sold in steps of two', { stepMilli: 2000 }, ['QUANTITY_NOT_OFFERED']],
    ['is sold from four on', { minimumMilli: 4000 }, ['QUANTITY_NOT_OFFERED']],
    [
      'is sold in steps of two and short',
      { stepMilli: 2000, stockMilli: 2000 },
      ['OUT_OF_STOCK', 'QUANTITY_NOT_OFFERED'],
    ],
    [
      'has less than its smallest order',
      { minimumMilli: 4000, stockMilli: 3999 },
      ['OUT_OF_STOCK'],
    ],
    ['has a rest below one step', { stepMilli: 600, stockMilli: 3100 }, []],
  ])('a product that %s', (_, over, codes, date = '2026-11-22') => {
    const products = [product(1), ...(over ? [product(2, over)] : [])];
    const decision = decide({ products }, order({ pickupDetails: pickup(date) }));
    if (codes.length === 0) expect(decision).toHaveProperty('plan');
    else {
      expect(decision).toEqual({
        problems: codes.map((code) => ({ line: 0, code, product: products[1] ?? null })),
      });
    }
  });

  test('as messages and machine-readable, with the code of the most severe', () => {
    const decision = decide(
      {
        products: [
          product(1, { isActive: false }),
          product(2, { priceMinor: 120_000, stockMilli: 1000 }),
        ],
      },
      order({
        items: [
          { product: id(2), quantity: 3, price: 2.5 },
          { product: id(1), quantity: 1 },
          { product: id(7), quantity: 1 },
        ],
      }),
    );
    if (!('problems' in decision)) throw new Error('It was not refused');
    const refusal = lineRefusal(decision.problems);
    expect(refusal).toMatchObject({ status: 409, code: 'PRODUCT_UNAVAILABLE' });
    expect(refusal.problems).toEqual([
      { line: 0, code: 'PRICE_CHANGED', price: 1200 },
      { line: 0, code: 'OUT_OF_STOCK', left: 1 },
      { line: 1, code: 'PRODUCT_UNAVAILABLE' },
      { line: 2, code: 'PRODUCT_UNAVAILABLE' },
    ]);
    expect(refusal.errors?.map(({ path }) => path)).toEqual([
      'items.0.price',
      'items.0.quantity',
      'items.1.product',
      'items.2.product',
    ]);
    expect(refusal.message).toBe(
      'Product 2 is now ₨1,200.00 per lb. Only 1 lb of Product 2 left. ' +
        'Product 1 is no longer available. A product in your cart is no longer available.',
    );
  });
});

test('rejects a total over the limit for a hundred lines of the highest price', () => {
  const lines = Array.from({ length: 100 }, () => ({
    product: { priceMinor: 100_000_000 },
    quantityMilli: 1_000_000_000,
  }));
  expect(sumOf(lines)).toBeGreaterThan(TOTAL_MAX_MINOR);
});

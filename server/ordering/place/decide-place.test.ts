import { writeMessage } from '#contract/platform/text/constants/texts';
import '../../platform/market/readers.ts';
import { describe, expect, test } from 'vitest';
import type { PlaceOrder } from '#contract/ordering/orders/orders';
import { TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { withLanguageTag } from '../../platform/process/request-context.ts';
import { lineRefusal } from '../model/refusal.ts';
import {
  buyer,
  byDelivery,
  decide,
  farm,
  id,
  order,
  person,
  pickup,
  product,
  state,
} from '../testing/placing.ts';
import { type PlacingState, sumOf } from './decide-place.ts';

const noPreference = { onShort: 'ask', preferredProductId: null };

test('plans the lines in the order of the request', () => {
  expect(decide()).toEqual({
    plan: {
      at: state().now,
      consumer: state().consumer,
      farmer: state().farmer,
      lines: [
        { product: product(2), quantityMilli: 3000, ...noPreference },
        { product: product(1), quantityMilli: 1000, ...noPreference },
      ],
      totalMinor: 1000,
      farmTerms: 'as read',
      startsAt: new Date('2026-11-22T10:00:00.000Z'),
      slot: null,
      isOwnPlace: true,
      isAreaOpen: false,
      ordersUntil: null,
      timer: null,
    },
  });
});

describe('at a farm that takes no orders for a while', () => {
  const pausedUntil = new Date('2026-11-23T06:00:00.000Z');
  const pausedFarm = farm({ pausedUntil: pausedUntil.toISOString(), timeZone: 'Asia/Karachi' });

  test('is refused until the end of the pause, by the clock of the database', () => {
    const later = order({ pickupDetails: pickup('2026-11-24') });
    const paused = { pausedUntil, timeZone: 'Asia/Karachi' };
    expect(decide({ farm: pausedFarm }, later)).toEqual(paused);
    expect(decide({ farm: pausedFarm, now: pausedUntil }, later)).toHaveProperty('plan');
  });

  test('is answered as before where it was placed before the pause', () => {
    const command = { requestHash: 'this request', body: 'the first answer' };
    expect(decide({ farm: pausedFarm, command })).toEqual({ repeat: command });
  });
});

describe('is rejected as a whole', () => {
  const gone = '2026-11-01T00:00:00.000Z';
  test.each([
    ['without an account', { consumer: null }, order(), 'CONSUMER_GONE'],
    ['of a deleted account', { consumer: buyer({ deletedAt: gone }) }, order(), 'CONSUMER_GONE'],
    [
      'of a suspended account',
      { consumer: buyer({ suspendedAt: gone }) },
      order(),
      'CONSUMER_GONE',
    ],
    [
      'from a suspended farm',
      { farmer: { ...person({ role: 'farmer' }), suspendedAt: gone, farm: null } },
      order(),
      'FARMER_UNKNOWN',
    ],
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
      'to be delivered where the customer says that it is too far',
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

  test('as messages and machine-readable, with the code of the most severe', async () => {
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
    const sentence = () => writeMessage(refusal.sentence);
    expect(sentence()).toBe(
      'Product 2 is now ₨1,200.00 per lb. Only 1 lb of Product 2 left. ' +
        'Product 1 is no longer available. A product in your cart is no longer available.',
    );
    expect(await withLanguageTag('de', async () => sentence())).toBe(
      'Product 2 kostet jetzt ₨1,200.00 pro lb. Nur noch 1 lb Product 2 übrig. ' +
        'Product 1 ist nicht mehr erhältlich. Ein Produkt in Ihrem Warenkorb ist nicht mehr erhältlich.',
    );
  });
});

test('rejects a total over the limit for a hundred lines of the highest price', () => {
  const lines = Array.from({ length: 100 }, () => ({
    product: { pieceMilli: null, priceMinor: 100_000_000 },
    quantityMilli: 1_000_000_000,
  }));
  expect(sumOf(lines)).toBeGreaterThan(TOTAL_MAX_MINOR);
});

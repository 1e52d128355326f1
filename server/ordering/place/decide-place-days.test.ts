import { describe, expect, test } from 'vitest';
import type { PlaceOrder } from '#contract/ordering/orders/orders';
import { writeMessage } from '#contract/platform/text/constants/texts';
import { byDelivery, decide, FARM, farm, order, pickup, product } from '../testing/placing.ts';
import type { FarmState, PlacingState } from './decide-place.ts';

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

  test.each([
    ['Europe/Berlin', '2026-03-29', ['02:00', '02:59'], ['01:59', '03:00']],
    ['Africa/Cairo', '2026-04-24', ['00:00', '00:59'], ['01:00']],
    ['Australia/Lord_Howe', '2026-10-04', ['02:00', '02:29'], ['01:59', '02:30']],
    ['Pacific/Chatham', '2026-09-27', ['02:45', '03:44'], ['02:44', '03:45']],
    ['Africa/Casablanca', '2026-03-22', ['02:00', '02:59'], ['01:59', '03:00']],
  ])('in %s on %s refuses times that the clock skips', (zone, date, skipped, shown) => {
    const over = in2026(zone, '2026-01-01T00:00:00Z');
    const at = (time: string) => decide(over, order({ pickupDetails: { ...pickup(date), time } }));
    for (const time of skipped) {
      expect(at(time)).toMatchObject({ invalid: { path: 'pickupDetails.time' } });
    }
    for (const time of shown) expect(at(time)).toHaveProperty('plan');
  });

  test("reaches so many days ahead of the farm's today, for pickups and deliveries", () => {
    const now = new Date('2026-11-22T19:30:00Z');
    const ahead = (bookableDays: number, date: string) => {
      const decision = decide(
        { now, farm: farm({ timeZone: 'Asia/Karachi', bookableDays }) },
        order({ pickupDetails: pickup(date) }),
      );
      if (!('invalid' in decision)) return decision;
      const { path, message } = decision.invalid;
      return { invalid: { path, message: writeMessage(message) } };
    };
    // It is the 23rd in Karachi.
    expect(ahead(56, '2027-01-18')).toHaveProperty('plan');
    expect(ahead(56, '2027-01-19')).toEqual({
      invalid: {
        path: 'pickupDetails.date',
        message:
          'This farm takes orders 56 days ahead, until Mon, Jan 18, 2027. Choose an earlier day.',
      },
    });
    expect(ahead(1, '2026-11-24')).toHaveProperty('plan');
    expect(ahead(1, '2026-11-25')).toMatchObject({
      invalid: { message: expect.stringContaining('orders one day ahead, until Tue, Nov 24.') },
    });
    const delivers = farm({ acceptsDelivery: true, bookableDays: 1 });
    expect(decide({ farm: delivers }, byDelivery)).toHaveProperty('plan');
    expect(
      decide(
        { farm: delivers },
        order({
          pickupDetails: undefined,
          deliveryDetails: { ...byDelivery.deliveryDetails, date: '2026-11-24' },
        }),
      ),
    ).toMatchObject({ invalid: { path: 'deliveryDetails.date' } });
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
    return { code, message: writeMessage(message), field, next: next?.date ?? null };
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

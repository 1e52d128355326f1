import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerByOf, remindersOf } from '../model/handover.ts';
import { shareFairly, shareInTurn } from '../shortage/share.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 22, 8, minutes));
const MINUTE_MS = 60_000;

describe('the time to answer', () => {
  const NOW = at(0);
  test.each<[string, number | null, number, number | null]>([
    ['is what the farm gives', 24 * 60, 120, 120],
    ['ends an hour before the handover', 150, 120, 90],
    ['is ten minutes at least', 65, 120, 10],
    ['ends with the handover in any case', 4, 120, 4],
    ['is what the farm gives where nothing is known of the handover', null, 30, 30],
    ['is none once the handover has begun', 0, 120, null],
    ['is none after it', -30, 120, null],
  ])('%s', (_, startsIn, minutes, expected) => {
    const startsAt = startsIn === null ? null : at(startsIn);
    expect(answerByOf({ startsAt }, NOW, minutes)).toEqual(expected === null ? null : at(expected));
  });

  test('never ends before now, and never after the handover', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 10, max: 2880 }),
        (startsIn, minutes) => {
          const startsAt = new Date(NOW.getTime() + startsIn * MINUTE_MS);
          const answerBy = answerByOf({ startsAt }, NOW, minutes);
          expect(answerBy?.getTime()).toBeGreaterThan(NOW.getTime());
          expect(answerBy?.getTime()).toBeLessThanOrEqual(startsAt.getTime());
        },
      ),
    );
  });

  test('is reminded of half-way, and ten minutes before the end where that is later', () => {
    expect(remindersOf(at(0), at(120))).toEqual([at(60), at(110)]);
    expect(remindersOf(at(0), at(20))).toEqual([at(10)]);
    expect(remindersOf(at(0), at(10))).toEqual([at(5)]);
  });
});

const claims = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 });

describe.each([
  ['shared fairly', shareFairly],
  ['in turn', shareInTurn],
])('%s', (_, share) => {
  test('the shares are whole steps, at most what was ordered, and never more than there is', () => {
    fc.assert(
      fc.property(
        claims,
        fc.constantFrom(1, 250, 1000),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        (steps, stepMilli, part) => {
          const all = steps.map((count) => ({ quantityMilli: count * stepMilli }));
          const ordered = all.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0);
          const availableMilli = Math.floor(ordered * part);
          const shares = share(all, { availableMilli, stepMilli });
          const given = shares.reduce((sum, milli) => sum + milli, 0);
          expect(given).toBeLessThanOrEqual(availableMilli);
          for (const [index, milli] of shares.entries()) {
            expect(milli).toBeLessThanOrEqual(all[index]?.quantityMilli ?? 0);
            expect(milli % stepMilli).toBe(0);
          }
        },
      ),
    );
  });
});

describe('shared fairly', () => {
  const fair = (quantities: number[], availableMilli: number, stepMilli = 1) =>
    shareFairly(
      quantities.map((quantityMilli) => ({ quantityMilli })),
      { availableMilli, stepMilli },
    );

  test('all that is there is given, down to the step', () => {
    fc.assert(
      fc.property(claims, fc.constantFrom(1, 250, 1000), fc.nat(), (steps, stepMilli, seed) => {
        const all = steps.map((count) => count * stepMilli);
        const ordered = all.reduce((sum, milli) => sum + milli, 0);
        const available = seed % (ordered + 1);
        const given = fair(all, available, stepMilli).reduce((sum, milli) => sum + milli, 0);
        expect(given).toBe(Math.floor(available / stepMilli) * stepMilli);
      }),
    );
  });

  test('the largest remainder comes first, of equal ones the person who ordered first', () => {
    // 25 of 40: 6.25, 6.25 and 12.5.
    expect(fair([10_000, 10_000, 20_000], 25_000, 1000)).toEqual([6000, 6000, 13_000]);
    expect(fair([1000, 1000, 1000], 2000, 1000)).toEqual([1000, 1000, 0]);
    expect(fair([5, 5], 100)).toEqual([5, 5]);
    expect(fair([5, 5], 0)).toEqual([0, 0]);
  });

  test('nobody is a whole step away from their proportion', () => {
    fc.assert(
      fc.property(claims, fc.nat(), (all, seed) => {
        const ordered = all.reduce((sum, milli) => sum + milli, 0);
        const available = seed % (ordered + 1);
        for (const [index, share] of fair(all, available).entries()) {
          expect(Math.abs(share - ((all[index] ?? 0) * available) / ordered)).toBeLessThan(1);
        }
      }),
    );
  });

  test('what is off the steps gets no more than it has, and nothing is lost', () => {
    expect(fair([1500, 2000], 3000, 1000)).toEqual([1000, 2000]);
    expect(fair([500, 500], 1000, 1000)).toEqual([500, 500]);
  });

  test('quantities of any size are exact', () => {
    const huge = 999_999_000;
    expect(fair([huge, huge, huge], 2 * huge)).toEqual([666_666_000, 666_666_000, 666_666_000]);
  });
});

test('in turn, the person who ordered first gets all they ordered', () => {
  const all = [10_000, 10_000, 20_000].map((quantityMilli) => ({ quantityMilli }));
  expect(shareInTurn(all, { availableMilli: 25_000, stepMilli: 1000 })).toEqual([
    10_000, 10_000, 5000,
  ]);
});

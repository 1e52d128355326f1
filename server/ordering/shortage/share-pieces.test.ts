import { expect, test } from 'vitest';
import { SHARE_RULES } from '#contract/ordering/changes/constants';
import { ShareShortage } from '#contract/ordering/changes/order-changes';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { product as productRow } from '../testing/placing.ts';
import { claimsOf, decideShares } from './decide-shortage.ts';
import { type Claim, shareFairly, shareInTurn, sharePieces } from './share.ts';

/** Returns numbers that are the same in each run. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * (most + 1));
  };
}

const ID = '8f0c9a5e-7a1d-4f7e-9d5c-2f6f4a1b3c';
const idOf = (number: number): string => `${ID}${String(number).padStart(2, '0')}`;

const CONTENTS = [250, 500, 1000, 2000, 2500, 5000, 12_500];

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

/** Random claims: lines in sizes and, now and then, one in the unit. */
function randomClaims(random: (most: number) => number): Claim[] {
  return Array.from({ length: 1 + random(11) }, () => {
    const contentMilli = random(4) === 0 ? undefined : (CONTENTS[random(CONTENTS.length - 1)] ?? 1);
    return contentMilli === undefined
      ? { quantityMilli: 250 * (1 + random(40)) }
      : { quantityMilli: contentMilli * (1 + random(9)), contentMilli };
  });
}

const rows = (claims: readonly Claim[]) =>
  claims.map((claim, index) => ({
    ...claim,
    orderId: idOf(index % 5),
    lineId: idOf(index),
    unit: 'kg' as const,
  }));

test.each(SHARE_RULES)(
  'by the rule %s, what is given and what is left is what there is',
  (rule) => {
    const random = numbers(7);
    const product: StockRow = productRow(1, { unit: 'kg', stepMilli: 1 });
    for (let round = 0; round < 2000; round++) {
      const claims = rows([{ quantityMilli: 1000, contentMilli: 1000 }, ...randomClaims(random)]);
      const ordered = sum(claims.map(({ quantityMilli }) => quantityMilli));
      const available = random(Math.ceil(ordered * 1.1)) / 1000;
      const shares =
        rule === 'manual'
          ? claims.map(({ orderId, lineId, quantityMilli, contentMilli }) => ({
              ...{ orderId, lineId },
              quantity: contentMilli ? 0 : Math.min(quantityMilli, 1) / 1000,
            }))
          : undefined;
      const input = ShareShortage.parse({
        ...{ productId: idOf(0), from: '2030-01-05', to: '2030-01-05', rule, shares },
        available: Math.max(available, rule === 'manual' ? 1 : 0),
      });
      const dealt = decideShares(claims, input, product);
      const given = sum(dealt.shares.map(({ shareMilli }) => shareMilli));
      expect(given + dealt.leftMilli).toBe(Math.round(input.available * 1000));
      for (const { quantityMilli, shareMilli, contentMilli } of dealt.shares) {
        expect(shareMilli).toBeGreaterThanOrEqual(0);
        expect(shareMilli).toBeLessThanOrEqual(quantityMilli);
        if (contentMilli) expect(shareMilli % contentMilli).toBe(0);
        // Nothing that is left would fit.
        const fits = (contentMilli ?? 1000) <= dealt.leftMilli;
        if (rule !== 'manual' && fits) expect(shareMilli).toBe(quantityMilli);
      }
    }
  },
);

test('each gets at least the whole pieces in its fair share', () => {
  const random = numbers(11);
  for (let round = 0; round < 2000; round++) {
    const claims = randomClaims(random);
    const ordered = sum(claims.map(({ quantityMilli }) => quantityMilli));
    const available = random(ordered);
    sharePieces(claims, available).forEach((share, index) => {
      const { quantityMilli = 0, contentMilli } = claims[index] ?? {};
      const fair = (quantityMilli * available) / ordered;
      if (contentMilli) expect(share).toBeGreaterThanOrEqual(fair - contentMilli + 1e-6);
      if (contentMilli)
        expect(share).toBeGreaterThanOrEqual(Math.floor(fair / contentMilli) * contentMilli);
    });
  }
});

test.each<[string, available: number, claims: [content: number, pieces: number][], number[]]>([
  [
    'of one size',
    12,
    [
      [5, 1],
      [5, 1],
      [5, 1],
    ],
    [1, 1, 0],
  ],
  [
    'the largest remainder first',
    8,
    [
      [1, 4],
      [5, 1],
      [2, 1],
    ],
    [3, 1, 0],
  ],
  [
    'a smaller one where the larger does not fit',
    4,
    [
      [5, 1],
      [1, 3],
    ],
    [0, 3],
  ],
  [
    'several pieces of what is left',
    9,
    [
      [10, 1],
      [1, 9],
    ],
    [0, 9],
  ],
  [
    'nothing of nothing',
    0,
    [
      [5, 1],
      [1, 3],
    ],
    [0, 0],
  ],
  [
    'all where there is enough',
    100,
    [
      [5, 1],
      [1, 3],
    ],
    [1, 3],
  ],
])('deals out %s', (_, available, claims, pieces) => {
  const shares = sharePieces(
    claims.map(([content, count]) => ({
      quantityMilli: content * count * 1000,
      contentMilli: content * 1000,
    })),
    available * 1000,
  );
  expect(shares.map((share, index) => share / 1000 / (claims[index]?.[0] ?? 1))).toEqual(pieces);
});

test('what is left of a piece of the largest size is dealt out in thousandths at once', () => {
  const claims = [
    { quantityMilli: 1_000_000_000, contentMilli: 1_000_000_000 },
    { quantityMilli: 900_000_000, contentMilli: 1 },
  ];
  expect(sharePieces(claims, 999_999_999)).toEqual([0, 900_000_000]);
});

test('what is in the unit beside sizes is shared as it was ordered: 3 kg in whole ones', () => {
  const claims = [
    { quantityMilli: 3000 },
    { quantityMilli: 2500 },
    { quantityMilli: 5000, contentMilli: 5000 },
  ];
  expect(sharePieces(claims, 4700)).toEqual([3000, 1500, 0]);
  expect(shareInTurn(claims, { availableMilli: 4700, stepMilli: null })).toEqual([3000, 1500, 0]);
});

test('without sizes it is shared by the steps of the product alone', () => {
  const random = numbers(3);
  for (let round = 0; round < 500; round++) {
    const claims = Array.from({ length: 1 + random(9) }, () => ({
      quantityMilli: 250 * (1 + random(40)),
    }));
    const ordered = sum(claims.map(({ quantityMilli }) => quantityMilli));
    const availableMilli = random(ordered);
    const supply = { availableMilli, stepMilli: 250 };
    for (const shares of [shareFairly(claims, supply), shareInTurn(claims, supply)]) {
      expect(sum(shares)).toBe(Math.floor(availableMilli / 250) * 250);
    }
    const input = ShareShortage.parse({
      ...{ productId: idOf(0), from: '2030-01-05', to: '2030-01-05', rule: 'fair' },
      available: availableMilli / 1000,
    });
    const dealt = decideShares(rows(claims), input, productRow(1, { stepMilli: 250 }));
    expect(dealt.leftMilli).toBe(0);
    expect(dealt.shares.map(({ shareMilli }) => shareMilli)).toEqual(shareFairly(claims, supply));
  }
});

test('lines of one order in the unit are one claim, and each line in a size is one', () => {
  const line = { unit: 'kg' as const, pieceMilli: null, contentMilli: null };
  const claims = claimsOf(productRow(1, { unit: 'kg' }), [
    { ...line, id: 'a', quantityMilli: 2000 },
    { ...line, id: 'b', quantityMilli: 3000, contentMilli: 5000 },
    { ...line, id: 'c', quantityMilli: 500, unit: 'g' },
    { ...line, id: 'd', quantityMilli: 4000, contentMilli: 250_000, unit: 'g' },
    { ...line, id: 'e', quantityMilli: 4000, contentMilli: 1000, unit: 'bunch' },
  ]);
  expect(claims).toEqual([
    { lineId: 'a', quantityMilli: 2000 },
    { lineId: 'b', quantityMilli: 15_000, contentMilli: 5000 },
    { lineId: 'd', quantityMilli: 1000, contentMilli: 250 },
    { lineId: 'e', quantityMilli: 0, contentMilli: 1000 },
  ]);
});

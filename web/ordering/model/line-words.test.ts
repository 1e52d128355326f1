import { describe, expect, it } from 'vitest';
import type { LineDifference } from '#contract/ordering/changes/order-lines';
import { aLine } from '../../platform/testing/proposals.ts';
import {
  describeDifferences,
  differencesInBrief,
  expectedWeight,
  linesInOrder,
  orderedTotal,
} from './order-items.ts';

const difference = (number: number, over: Partial<LineDifference>): LineDifference => {
  const { _id, product, price } = aLine(number);
  return { lineId: _id, product, from: 0, to: 0, price, ...over };
};

describe('how lines changed', () => {
  const reduced = difference(1, { from: 5, to: 2 });
  const removed = difference(2, { from: 1 });
  const instead = difference(3, { to: 3, replaces: removed.lineId });
  const added = difference(4, { to: 1 });

  it('says each in a few words', () => {
    expect(describeDifferences([reduced, added])).toEqual([
      '2 lb instead of 5 lb of Product 1',
      '1 lb Product 4 added',
    ]);
    expect(describeDifferences([removed])).toEqual(['no Product 2']);
  });

  it('names what was replaced beside what stands for it', () => {
    expect(describeDifferences([removed, instead])).toEqual([
      '3 lb Product 3 instead of Product 2',
    ]);
  });

  it('lists the first few in one line', () => {
    expect(differencesInBrief([reduced, removed, added])).toBe(
      '2 lb instead of 5 lb of Product 1, no Product 2 and 1 more',
    );
    expect(differencesInBrief([])).toBe('');
  });
});

it('puts what stands for a line right behind it', () => {
  const [one, two] = [aLine(1), aLine(2)];
  const instead = aLine(3, { replaces: one._id });
  const lost = aLine(4, { replaces: aLine(9)._id });
  const ids = linesInOrder([one, two, instead, lost]).map(({ _id }) => _id);
  expect(ids).toEqual([one._id, instead._id, two._id, lost._id]);
});

it('has a weight only for what is priced by it', () => {
  const chicken = aLine(1, { quantity: 2, pieceWeight: { average: 1.8 } });
  expect(expectedWeight(aLine(1))).toBeUndefined();
  expect(expectedWeight(chicken)).toBe('≈ 3.6 lb');
  expect(expectedWeight({ ...chicken, packed: 3.52 })).toBeUndefined();
  expect(orderedTotal({ ...chicken, price: 10, orderedQuantity: 2 })).toBe(36);
});

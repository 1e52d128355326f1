import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMinor } from '#contract/platform/money/constants';
import { aLine, anOrderOf, aProposal } from '../../platform/testing/proposals.ts';
import {
  answerAll,
  appliesAtOnce,
  type Goods,
  isOverweightOnly,
  type LineDraft,
  leavesNothing,
  mostLess,
  substitutesFor,
  totalAnswered,
  totalExpired,
  totalUnanswered,
  totalWith,
} from './rules.ts';

const roots = { _id: '00000000-0000-4000-8000-0000000000f1', name: 'Roots' };
const leaves = { _id: '00000000-0000-4000-8000-0000000000f2', name: 'Leaves' };

const goods = (number: number, over: Partial<Goods> = {}): Goods => ({
  _id: `00000000-0000-4000-8000-00000000010${number}`,
  name: `Goods ${number}`,
  unit: 'lb',
  price: 2,
  quantityAvailable: 10,
  images: [],
  category: roots,
  ...over,
});
const instead = (product: Goods, quantity: number): LineDraft => ({
  action: 'substitute',
  reason: 'sold_out',
  emptiesShelf: true,
  goods: product,
  quantity,
});
const none: LineDraft = { action: 'remove', reason: 'damaged', emptiesShelf: false };
const less = (newQuantity: number): LineDraft => ({
  action: 'reduce',
  reason: 'not_harvested',
  emptiesShelf: true,
  newQuantity,
});
const isRoot = () => roots._id;

describe('what is done at once', () => {
  it('leaves out what the customer wants left out, and asks about everything else', () => {
    const line = aLine(1, { onShort: 'leave_out' });
    expect(appliesAtOnce(line, none, isRoot)).toBe(true);
    expect(appliesAtOnce(line, less(1), isRoot)).toBe(true);
    expect(appliesAtOnce(line, instead(goods(1), 1), isRoot)).toBe(false);
  });

  it('takes something similar only of the same category and not dearer', () => {
    const line = aLine(1, { onShort: 'similar' });
    expect(appliesAtOnce(line, instead(goods(1), 5), isRoot)).toBe(true);
    expect(appliesAtOnce(line, instead(goods(1), 6), isRoot)).toBe(false);
    expect(appliesAtOnce(line, instead(goods(1, { category: leaves }), 1), isRoot)).toBe(false);
    expect(appliesAtOnce(line, instead(goods(1, { category: null }), 1), () => undefined)).toBe(
      false,
    );
    expect(appliesAtOnce(line, none, isRoot)).toBe(false);
  });

  it.each(['ask', 'specific'] as const)('asks where the wish is %s', (onShort) => {
    expect(appliesAtOnce(aLine(1, { onShort }), less(1), isRoot)).toBe(false);
  });
});

describe('the total', () => {
  const order = anOrderOf([aLine(1), aLine(2), aLine(3)]);
  const [one, two] = order.items;

  it('is that of the drafts, and without an answer what comes instead is not in it', () => {
    const drafts = new Map([
      [one?._id ?? '', less(2)],
      [two?._id ?? '', instead(goods(1, { price: 4 }), 3)],
    ]);
    expect(totalWith(order, drafts).totalAmount).toBe(5 + 12 + 10);
    expect(totalUnanswered(order, drafts, isRoot).totalAmount).toBe(5 + 10);
  });

  it('counts in minor units, whatever the prices', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 99 })), {
          minLength: 1,
          maxLength: 9,
        }),
        (lines) => {
          const items = lines.map(([minor, quantity], index) =>
            aLine(index, { price: minor / 100, quantity, total: (minor * quantity) / 100 }),
          );
          const sum = lines.reduce((total, [minor, quantity]) => total + minor * quantity, 0);
          const whole = anOrderOf(items);
          expect(toMinor(totalWith(whole, new Map()).totalAmount)).toBe(sum);
          const reduced = new Map(items.map(({ _id }) => [_id, less(1)]));
          const prices = lines.reduce((total, [minor]) => total + minor, 0);
          expect(toMinor(totalWith(whole, reduced).totalAmount)).toBe(prices);
        },
      ),
    );
  });

  it('follows the answers to a proposal, and without any nothing is added', () => {
    const proposal = aProposal(order);
    expect(totalAnswered(order, proposal, {}).totalAmount).toBe(5 + 7.5 + 10);
    expect(totalAnswered(order, proposal, {}).totalAmount).toBe(proposal.totalAfter);
    expect(totalAnswered(order, proposal, { [one?._id ?? '']: 'leave_out' }).totalAmount).toBe(
      7.5 + 10,
    );
    expect(totalExpired(order, proposal).totalAmount).toBe(5 + 10);
  });

  it('counts from what weighed goods cost already, not from what was expected', () => {
    // Expected at 10, weighed at 15, of which 12 may be charged.
    const [first, ...rest] = order.items;
    if (!first) throw new Error('The order has no line.');
    const weighed = anOrderOf([{ ...first, total: 12, packed: 6 }, ...rest]);
    const base = aProposal(weighed);
    const items = base.items.slice(0, 1).map((item) => ({
      ...item,
      action: 'overweight' as const,
      totalBefore: 10,
      totalAfter: 15,
    }));
    const heavier = { ...base, items };
    const others = weighed.totalAmount - 12;
    expect(totalAnswered(weighed, heavier, {}).totalAmount).toBe(others + 15);
    expect(totalAnswered(weighed, heavier, answerAll(heavier, 'keep_limit')).totalAmount).toBe(
      others + 12,
    );
    expect(totalAnswered(weighed, heavier, answerAll(heavier, 'leave_out')).totalAmount).toBe(
      others,
    );
    expect(totalExpired(weighed, heavier).totalAmount).toBe(others + 12);
    expect(isOverweightOnly(heavier)).toBe(true);
    expect(isOverweightOnly(base)).toBe(false);
  });

  it('is never dearer without an answer, even where less of weighed goods would be', () => {
    // Four at 2.5, weighed light: they cost 2 now, and one would be estimated at 2.5.
    const light = anOrderOf([aLine(1, { total: 2, packed: 0.8 }), aLine(2), aLine(3)]);
    const [line] = light.items;
    if (!line) throw new Error('The order has no line.');
    const drafts = new Map([[line._id, less(1)]]);
    expect(totalWith(light, drafts).totalAmount).toBe(2.5 + 20);
    expect(totalUnanswered(light, drafts, isRoot).totalAmount).toBe(2 + 20);
    expect(appliesAtOnce({ ...line, onShort: 'leave_out' }, less(1), isRoot)).toBe(false);
    const base = aProposal(light);
    const items = base.items.slice(0, 1).map((item) => ({ ...item, totalAfter: 2.5 }));
    expect(totalAnswered(light, { ...base, items }, {}).totalAmount).toBe(2.5 + 20);
    expect(totalExpired(light, { ...base, items }).totalAmount).toBe(2 + 20);
  });

  it('is an estimate while something is priced by weight and not weighed', () => {
    const pieceWeight = { average: 2 };
    const proposal = aProposal(order);
    expect(totalAnswered(order, proposal, {}).isTotalFinal).toBe(true);
    const items = proposal.items.map(({ substitute, ...item }) =>
      substitute ? { ...item, substitute: { ...substitute, pieceWeight } } : item,
    );
    const byPiece = { ...proposal, items };
    expect(totalAnswered(order, byPiece, {}).isTotalFinal).toBe(false);
    expect(totalAnswered(order, byPiece, { [two?._id ?? '']: 'leave_out' }).isTotalFinal).toBe(
      true,
    );
    expect(totalExpired(order, byPiece).isTotalFinal).toBe(true);
    const drafts = new Map([[two?._id ?? '', instead(goods(1, { pieceWeight }), 1)]]);
    expect(totalWith(order, drafts).isTotalFinal).toBe(false);
    expect(totalUnanswered(order, drafts, isRoot).isTotalFinal).toBe(true);
    // Less of what was weighed is to be weighed again, and none of what was not is known.
    const chicken = anOrderOf([aLine(1, { pieceWeight, packed: 8 }), aLine(2)]);
    expect(totalWith(chicken, new Map([[one?._id ?? '', less(2)]])).isTotalFinal).toBe(false);
    const raw = anOrderOf([aLine(1, { pieceWeight, isFinal: false }), aLine(2)]);
    expect(totalWith(raw, new Map()).isTotalFinal).toBe(false);
    expect(totalWith(raw, new Map([[one?._id ?? '', none]])).isTotalFinal).toBe(true);
  });

  it('detects when nothing is left', () => {
    const small = anOrderOf([aLine(1), aLine(2)]);
    const proposal = aProposal(small);
    const [first, second] = small.items.map(({ _id }) => _id);
    expect(leavesNothing(small, proposal, {})).toBe(false);
    expect(leavesNothing(small, proposal, { [first ?? '']: 'leave_out' })).toBe(false);
    const all = { [first ?? '']: 'leave_out', [second ?? '']: 'leave_out' } as const;
    expect(leavesNothing(small, proposal, all)).toBe(true);
    expect(leavesNothing(order, aProposal(order), all)).toBe(false);
  });
});

describe('what can be offered instead', () => {
  it('begins with what the customer named, then the same category, then what is not dearer', () => {
    const named = goods(1, { name: 'Named', price: 9, category: leaves });
    const dear = goods(2, { name: 'Dear', price: 9 });
    const fit = goods(3, { name: 'Fit' });
    const other = goods(4, { name: 'Other', category: leaves });
    const gone = goods(5, { name: 'Gone', quantityAvailable: 0 });
    const line = aLine(1, { preferredProduct: named._id });
    const own = goods(6, { _id: line.product._id ?? '' });
    const offered = substitutesFor(line, [other, dear, gone, own, fit, named], isRoot);
    expect(offered.map(({ name }) => name)).toEqual(['Named', 'Fit', 'Dear', 'Other']);
  });

  it.each([
    [4, {}, 3],
    [1, {}, 0],
    [0.5, { step: 0.25 }, 0.25],
    [0.25, { step: 0.25 }, 0],
  ])('can take %d down to at most one step less', (quantity, steps, most) => {
    expect(mostLess(quantity, steps)).toBe(most);
  });
});

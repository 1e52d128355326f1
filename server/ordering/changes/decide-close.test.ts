import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnsToStock, SHORT_REASONS } from '#contract/ordering/changes/constants';
import { takenMilli } from '#contract/platform/quantities/constants/pieces';
import type { StockedState } from '../model/lock.ts';
import type { OrderRow } from '../model/present.ts';
import {
  type LineRow,
  NEW_LINE,
  type ProposalItemRow,
  type ProposalRow,
} from '../model/present-lines.ts';
import { afterOrderPlan, type OrderPlan } from '../model/write.ts';
import { id, person, product } from '../testing/placing.ts';
import { decideAnswer, decideExpiry, decideWithdraw } from './decide-close.ts';
import { decidePropose } from './decide-propose.ts';

// Every proposal of every order, ended in every way: goods are on the stock, in the order, held back, or written off.

const STOCK_MILLI = 50_000;
const NOW = new Date('2026-11-22T08:00:00Z');
const farmer = person({ id: product(1).farmerId, role: 'farmer' });

/** The second line is in a size, and so is what is offered instead. */
const CONTENT_MILLI: Readonly<Record<number, number>> = { 2: 2500, 4: 1500 };
const sizeOf = (n: number) => ({
  ...{ id: id(400 + n), label: 'Bag', contentMilli: CONTENT_MILLI[n] ?? 0, priceMinor: 250 },
  ...{ sku: null, isActive: true, minimum: null },
});
const shelf = new Map(
  [1, 2, 3, 4].map((n) => [
    id(n),
    product(n, { stockMilli: STOCK_MILLI, sizes: n in CONTENT_MILLI ? [sizeOf(n)] : [] }),
  ]),
);

const lineOf = (n: number, quantityMilli: number): LineRow => ({
  ...NEW_LINE,
  id: id(100 + n),
  position: n,
  productId: id(n),
  name: `Product ${n}`,
  image: null,
  unit: 'lb',
  priceMinor: 250,
  quantityMilli,
  ...(n in CONTENT_MILLI
    ? { sizeId: id(400 + n), sizeLabel: 'Bag', contentMilli: CONTENT_MILLI[n] ?? null }
    : {}),
});

const orderOf = (status: OrderRow['status'], lines: LineRow[]): OrderRow =>
  ({
    id: id(900),
    consumerId: person().id,
    farmerId: farmer.id,
    createdAt: NOW,
    status,
    totalMinor: 0,
    paymentMethod: 'cash',
    notes: '',
    isPickup: true,
    date: '2026-11-29',
    time: '10:00',
    startsAt: '2026-11-29T10:00:00Z',
    endsAt: null,
    slotId: null,
    placeId: null,
    endTime: null,
    placeName: '',
    placeDirections: '',
    pickupLocation: '',
    street: '',
    city: '',
    state: '',
    zipCode: '',
    isAreaConfirmed: false,
    isOwnPlace: false,
    isAreaOpen: false,
    version: 3,
    consumer: person(),
    farmer: { ...farmer, suspendedAt: null, farm: null },
    packing: 'none',
    crates: null,
    lines,
    timeline: [],
    proposals: [],
  }) satisfies OrderRow;

const item = fc.record({
  kind: fc.constantFrom('reduce' as const, 'remove' as const, 'substitute' as const),
  reason: fc.constantFrom(...SHORT_REASONS),
  /** Of ten: what is left of a reduced line, or comes instead. */
  count: fc.integer({ min: 1, max: 9 }),
  answer: fc.constantFrom('accept' as const, 'leave_out' as const),
});

const inStock = (plan: OrderPlan, productId: string): number =>
  (plan.stock ?? [])
    .filter((change) => change.product.id === productId)
    .reduce((sum, { changeMilli }) => sum + changeMilli, 0);

/** What an order holds of a product: in its lines while it is open, and for its open proposal. */
const heldIn = ({ status, lines, proposals }: OrderRow, productId: string): number => {
  const rows = status === 'pending' || status === 'accepted' ? lines : [];
  const own = rows.filter((line) => line.productId === productId);
  const offered = proposals
    .flatMap(({ items }) => items as ProposalItemRow[])
    .flatMap(({ substitute }) => (substitute?.productId === productId ? [substitute] : []));
  return [...own, ...offered].reduce((sum, each) => sum + takenMilli(each, each.quantityMilli), 0);
};

test('of every product the goods are accounted for, however a proposal ends', () => {
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('pending' as const, 'accepted' as const),
      fc.constantFrom('answer' as const, 'cancel' as const, 'expire' as const, 'withdraw' as const),
      (choices, status, end) => {
        const lines = [1, 2, 3].map((n) => lineOf(n, 10_000));
        const order = orderOf(status, lines);
        let newIds = 0;
        const decision = decidePropose(
          { now: NOW, by: farmer, order, products: shelf, farm: { answerMinutes: 120 } },
          {
            id: id(800),
            newId: () => id(700 + ++newIds),
            note: '',
            batchId: null,
            items: choices.map(({ kind, reason, count }, index) => {
              const base = { lineId: id(101 + index), reason, emptiesShelf: false };
              if (kind === 'remove') return { ...base, action: kind };
              if (kind === 'reduce') return { ...base, action: kind, newQuantity: count };
              const substitute = { productId: id(4), size: id(404), quantity: count };
              return { ...base, action: kind, substitute };
            }),
          },
        );
        if ('refusal' in decision) throw decision.refusal;
        const proposed = afterOrderPlan(decision.plan);
        const afterwards = new Map(
          [...shelf].map(([key, row]) => [
            key,
            { ...row, stockMilli: row.stockMilli + inStock(decision.plan, key) },
          ]),
        );
        const close: StockedState = {
          now: NOW,
          by: person(),
          order: proposed,
          products: afterwards,
        };
        const plan = endOf(close, end, choices);
        const after = afterOrderPlan(plan);
        expect(after.proposals).toEqual([]);

        for (const n of [1, 2, 3, 4]) {
          const before = (shelf.get(id(n))?.stockMilli ?? 0) + heldIn(order, id(n));
          const stock = (afterwards.get(id(n))?.stockMilli ?? 0) + inStock(plan, id(n));
          const choice = choices[n - 1];
          const isGone = choice && !returnsToStock(choice.reason) && end !== 'withdraw';
          // What was short does not exist; what was left of a reduced line does.
          const short = 10_000 - (choice?.kind === 'reduce' ? choice.count * 1000 : 0);
          const contentMilli = CONTENT_MILLI[n];
          const writtenOff = n < 4 && isGone ? takenMilli({ contentMilli }, short) : 0;
          expect(stock + heldIn(after, id(n)) + writtenOff).toBe(before);
        }
      },
    ),
    { numRuns: 300 },
  );
});

function endOf(
  state: StockedState,
  end: 'answer' | 'cancel' | 'expire' | 'withdraw',
  choices: readonly { answer: 'accept' | 'leave_out' }[],
): OrderPlan {
  const [open] = state.order.proposals as [ProposalRow];
  if (end === 'expire') {
    const now = new Date(open.answerBy);
    const plan = decideExpiry({ ...state, now }, open.id);
    if (!plan) throw new Error('The proposal did not end');
    return plan;
  }
  const items = (open.items as ProposalItemRow[]).map(({ lineId }, index) => ({
    lineId,
    answer: choices[index]?.answer ?? 'accept',
  }));
  const decision =
    end === 'withdraw'
      ? decideWithdraw(state, open.id)
      : decideAnswer(state, open.id, end === 'cancel' ? { cancelOrder: true } : { items });
  if ('refusal' in decision) throw decision.refusal;
  return decision.plan;
}

test('an answer counts until the very end of its time, and the end comes then', () => {
  const order = orderOf('accepted', [lineOf(1, 10_000), lineOf(2, 5000)]);
  const made = decidePropose(
    { now: NOW, by: farmer, order, products: shelf, farm: { answerMinutes: 120 } },
    {
      id: id(800),
      newId: () => id(700),
      note: '',
      batchId: null,
      items: [{ lineId: id(101), action: 'remove', reason: 'damaged', emptiesShelf: false }],
    },
  );
  if ('refusal' in made || !made.proposal) throw new Error('Nothing was proposed');
  const proposed = afterOrderPlan(made.plan);
  const { id: changeId, answerBy } = made.proposal;
  const answer = { items: [{ lineId: id(101), answer: 'accept' as const }] };
  const stateAt = (now: Date): StockedState => ({
    now,
    by: person(),
    order: proposed,
    products: shelf,
  });
  const end = new Date(answerBy);
  const before = new Date(end.getTime() - 1);
  expect('plan' in decideAnswer(stateAt(before), changeId, answer)).toBe(true);
  expect(decideExpiry(stateAt(before), changeId)).toBeUndefined();
  expect('refusal' in decideAnswer(stateAt(end), changeId, answer)).toBe(true);
  expect(decideExpiry(stateAt(end), changeId)).toBeDefined();
});

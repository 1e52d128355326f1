// @vitest-environment happy-dom

import { describe, expect, it } from 'vitest';
import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { aUser } from '../../platform/testing/network.ts';
import { aLine, anOrderOf } from '../../platform/testing/proposals.ts';
import { noticesOf } from './order-notices.ts';

const plain = anOrderOf([aLine(1), aLine(2)]);
const buyer = { ...aUser('consumer'), _id: plain.consumer._id };
const farmer = { ...aUser('farmer'), _id: plain.farmer._id };
const { product, price, _id: lineId } = aLine(1);
const totals = { totalBefore: 20, totalAfter: 15 };
const differences = [{ lineId, product, from: 4, to: 2, price }];

/** An order that somebody changed so. */
const changed = (change: OrderChange, by: { _id: string }): UpdatedOrder => ({
  ...plain,
  timeline: [
    {
      sequence: 2,
      at: plain.createdAt,
      by: { _id: by._id, name: 'Somebody', role: 'consumer' },
      ...(change.kind === 'lines'
        ? { kind: 'lines', detail: { cause: change.cause, differences, ...totals } }
        : {
            kind: 'proposal',
            detail: { proposal: 'p', status: 'open', differences, ...totals },
          }),
    },
  ],
  change,
});
const proposal = (status: Extract<OrderChange, { kind: 'proposal' }>['status']): OrderChange => ({
  kind: 'proposal',
  proposal: 'p',
  status,
  differences,
  ...totals,
});
const lines = (cause: 'buyer' | 'shortage' | 'wish'): OrderChange => ({
  kind: 'lines',
  cause,
  differences,
  ...totals,
});
const details = '2 lb instead of 4 lb of Product 1; ₨15.00 in all';

describe('what a change of lines means', () => {
  it.each([
    ['open', undefined],
    ['superseded', undefined],
    ['accepted', 'Cora Buyer accepted your change of order #abcdef01'],
    ['answered', 'Cora Buyer answered your change of order #abcdef01'],
    ['declined', 'Cora Buyer cancelled order #abcdef01 because of your change'],
    ['expired', 'Cora Buyer did not answer your change of order #abcdef01 in time'],
  ] as const)('to the farm, of a proposal that is %s', (status, text) => {
    expect(noticesOf(changed(proposal(status), buyer), farmer)?.text).toBe(text);
  });

  it.each([
    // The banner asks.
    ['open', undefined],
    ['withdrawn', 'Green Valley took its change of your order back'],
    ['expired', 'The time to answer Green Valley is over'],
  ] as const)('to the customer, of a proposal that is %s', (status, text) => {
    expect(noticesOf(changed(proposal(status), farmer), buyer)?.text).toBe(text);
  });

  it("notifies the farm of the difference of a customer's change, and the customer of what is done as wished", () => {
    expect(noticesOf(changed(lines('buyer'), buyer), farmer)).toMatchObject({
      text: 'Cora Buyer changed order #abcdef01',
      details,
    });
    expect(noticesOf(changed(lines('shortage'), farmer), buyer)).toMatchObject({
      text: 'Green Valley changed your order as you wished',
      details,
    });
  });

  it('marks a total that is still an estimate', () => {
    const estimated: OrderChange = {
      kind: 'lines',
      cause: 'buyer',
      differences,
      ...totals,
      isAfterEstimate: true,
    };
    expect(noticesOf(changed(estimated, buyer), farmer)?.details).toMatch(/; ≈ ₨15\.00 in all$/);
  });

  it('notifies nobody of their own changes or of wishes, and no strangers', () => {
    expect(noticesOf(changed(lines('buyer'), buyer), buyer)).toBeUndefined();
    expect(noticesOf(changed(lines('shortage'), farmer), farmer)).toBeUndefined();
    expect(noticesOf(changed(lines('wish'), buyer), farmer)).toBeUndefined();
    expect(noticesOf(changed(lines('buyer'), buyer), aUser('admin'))).toBeUndefined();
    expect(noticesOf(changed(proposal('accepted'), buyer), buyer)).toBeUndefined();
  });
});

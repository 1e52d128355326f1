import { describe, expect, it } from 'vitest';
import { howToPay } from '#contract/ordering/orders/how-to-pay';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { directionsLink } from '../../../farm/model/places.ts';
import { aUser } from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { movedSentence, nextSteps } from './NextSteps.tsx';

const TODAY = '2026-11-02';

const entryBy = (
  role: 'consumer' | 'farmer' | 'admin',
  status: OrderStatus,
  reason?: string,
): Order['timeline'][number] => {
  const { _id, name } = aUser(role);
  const at = '2026-11-03T10:00:00.000Z';
  return {
    sequence: 2,
    kind: 'status',
    status,
    at,
    by: { _id, name, role },
    ...(reason && { reason }),
  };
};
const ended = (by: 'consumer' | 'farmer' | 'admin', status: OrderStatus, reason?: string) => {
  const order = anOrder(1, { status, paymentMethod: 'cash' });
  return { ...order, timeline: [...order.timeline, entryBy(by, status, reason)] };
};
const delivery: Partial<Order> = {
  pickupDetails: undefined,
  deliveryDetails: {
    address: { street: '2 Mill Lane', city: 'Putney', state: 'VT', zipCode: '05346' },
    date: '2026-11-05',
    time: '17:00',
  },
};

/** What a farm asks; what it is does not matter here. */
const asked = { _id: 'asked' } as Order['openChange'];

describe('what happens next', () => {
  it('is that the farm looks at a new order', () => {
    expect(nextSteps(anOrder(1), TODAY)).toEqual({
      title: "We've told Green Valley",
      reason: undefined,
      text: "We'll let you know as soon as they answer. Pickup would be on Thu, Nov 5 at 4:30 PM.",
    });
  });

  it('is the answer of a customer whom the farm has asked', () => {
    expect(nextSteps(anOrder(1, { openChange: asked }), TODAY)).toEqual({
      title: 'Green Valley is waiting for your answer',
      reason: undefined,
      text: "They can't take the order as it is, and go on once you've answered above. Pickup would be on Thu, Nov 5 at 4:30 PM.",
    });
  });

  it('is where and when an accepted order is handed over', () => {
    const accepted = anOrder(1, { status: 'accepted' });
    expect(nextSteps(accepted, TODAY).text).toBe(
      'Pick it up on Thu, Nov 5 at 4:30 PM: The red gate. To cancel, write to the farm.',
    );
    expect(nextSteps(accepted, '2026-11-04').text).toBe(
      'Pick it up tomorrow at 4:30 PM: The red gate. To cancel, write to the farm.',
    );
    expect(nextSteps(anOrder(1, { status: 'accepted', ...delivery }), TODAY).text).toBe(
      "They'll bring it on Thu, Nov 5 at 5:00 PM to 2 Mill Lane, Putney, VT 05346. To cancel, write to the farm.",
    );
  });

  it('is nothing to come once the day is over', () => {
    const later = '2026-11-06';
    expect(nextSteps(anOrder(1), later, { isPast: true })).toEqual({
      title: "Green Valley hasn't answered",
      reason: undefined,
      text: 'Pickup would have been on Thu, Nov 5 at 4:30 PM. Write to the farm below, or cancel the order.',
    });
    const accepted = anOrder(1, { status: 'accepted', paymentMethod: 'cash', ...delivery });
    expect(nextSteps(accepted, later, { isPast: true })).toEqual({
      title: 'Green Valley accepted this order',
      reason: undefined,
      text: "Delivery was on Thu, Nov 5 at 5:00 PM. If you don't have your order, write to the farm below.",
    });
    expect(howToPay(accepted, { isPast: true, where: 'page' })).toBeUndefined();
    expect(howToPay(anOrder(1), { isPast: true, where: 'page' })).toMatch(
      /^Pay ₨1,234.50 by bank transfer/,
    );
    expect(nextSteps(anOrder(1, { status: 'completed' }), later, { isPast: true }).title).toBe(
      'All done',
    );
  });

  it('is the reason of a rejected order, and what else there is', () => {
    expect(nextSteps(ended('farmer', 'rejected', 'Hail took it.'), TODAY)).toEqual({
      title: "Green Valley couldn't take this order",
      reason: 'Hail took it.',
      text: "There's nothing to pay. You can try another day, or find the same at another farm.",
    });
  });

  it.each([
    ['consumer', 'You cancelled this order'],
    ['farmer', 'Green Valley cancelled this order'],
    ['admin', 'The market cancelled this order'],
  ] as const)('names the person who cancelled it: the %s', (by, title) => {
    expect(nextSteps(ended(by, 'cancelled'), TODAY)).toMatchObject({ title, reason: undefined });
  });

  it('names the farmer of a farm without a name', () => {
    const order = anOrder(1);
    const nameless = { ...order, farmer: { ...order.farmer, farmName: '' } };
    expect(nextSteps(nameless, TODAY).title).toBe("We've told Finn Grower");
  });
});

describe('how to pay', () => {
  const reference = 'by bank transfer with the reference #abcdef01';
  it.each<[Partial<Order>, boolean, string | undefined]>([
    [{ paymentMethod: 'cash' }, false, 'Bring ₨1,234.50 in cash when you pick it up.'],
    [{ paymentMethod: 'cash' }, true, 'Bring ₨1,234.50 in cash when you pick it up.'],
    [
      { paymentMethod: 'cash', ...delivery },
      false,
      'Have ₨1,234.50 in cash ready when it arrives.',
    ],
    [{}, false, `Pay ₨1,234.50 ${reference}. Ask Green Valley below for the account.`],
    [{}, true, `Pay ₨1,234.50 ${reference}. Green Valley gives this account:`],
    [
      { isTotalFinal: false },
      true,
      `Pay ${reference} once it is weighed: ≈ ₨1,234.50. Green Valley gives this account:`,
    ],
    [
      { paymentMethod: 'other', status: 'accepted' },
      false,
      "Agree with Green Valley how you'll pay the ₨1,234.50: write to them below.",
    ],
    [
      { paymentMethod: 'other' },
      true,
      'How you can pay the ₨1,234.50, in the words of Green Valley:',
    ],
    [{ status: 'rejected' }, false, undefined],
    [{ status: 'completed' }, false, undefined],
    [{ paymentMethod: 'other', status: 'cancelled' }, true, undefined],
  ])('an order with %j, whose farm says how: %s', (over, hasDetails, words) => {
    const order = anOrder(1, { paymentMethod: 'bank_transfer', ...over });
    expect(howToPay(order, { hasDetails, where: 'page' })).toBe(words);
  });
});

it.each(['bank_transfer', 'other'] as const)(
  'an order by %s is not to be paid while its customer is asked about it',
  (paymentMethod) => {
    const over = { paymentMethod, openChange: asked, status: 'accepted' } as const;
    for (const where of ['page', 'mail'] as const) {
      expect(howToPay(anOrder(1, over), { hasDetails: true, where })).toBe(
        "Wait with paying until you've answered Green Valley: the total may change.",
      );
    }
    expect(howToPay(anOrder(1, { ...over, paymentMethod: 'cash' }), { where: 'page' })).toMatch(
      /^Bring ₨1,234.50 in cash/,
    );
  },
);

const place = {
  name: 'Market square',
  address: { street: '1 Main St', city: 'Putney', state: '', zipCode: '' },
  directions: 'Beside the fountain.',
};
const slot = {
  date: '2026-11-07',
  time: '10:00',
  endTime: '10:30',
  location: 'Market square, 1 Main St, Putney',
  slotId: '00000000-0000-4000-8000-000000000901',
  place,
};
/** An order that was moved from the red gate, by somebody. */
function moved(by: 'consumer' | 'farmer' | 'admin', over: Partial<Order> = {}): Order {
  const order = anOrder(1, { pickupDetails: slot, ...over });
  const { status: _, ...entry } = {
    ...entryBy(by, 'accepted', 'Hail took the stall.'),
    status: '',
  };
  const who = by === 'consumer' ? order.consumer._id : order.farmer._id;
  const detail = {
    from: '2026-11-05T16:30:00.000Z',
    to: '2026-11-07T10:00:00.000Z',
    before: { date: '2026-11-05', time: '16:30', location: 'The red gate' },
    after: { date: slot.date, time: slot.time, endTime: slot.endTime, location: slot.location },
  };
  return {
    ...order,
    timeline: [
      ...order.timeline,
      { ...entry, kind: 'slot', by: { ...entry.by, _id: who }, detail },
    ],
  };
}

describe('an order that was moved', () => {
  it('shows its customer what it was before, and why', () => {
    expect(movedSentence(moved('farmer'), TODAY)).toBe(
      'Green Valley moved your pickup. It was Thu, Nov 5 at 4:30 PM, The red gate. Their reason: Hail took the stall.',
    );
    expect(movedSentence(moved('admin'), TODAY)).toMatch(/^The market moved your pickup\./);
  });

  it('shows nothing to the person who moved it, nor once it is over or was never moved', () => {
    expect(movedSentence(moved('consumer'), TODAY)).toBeUndefined();
    expect(movedSentence(moved('farmer', { status: 'completed' }), TODAY)).toBeUndefined();
    expect(movedSentence(anOrder(1), TODAY)).toBeUndefined();
  });

  it('says nothing new where only the clock of the farm changed', () => {
    const order = moved('farmer');
    const [placed, entry] = order.timeline;
    if (!placed || entry?.kind !== 'slot') throw new Error('The order has not moved.');
    const { from, to } = entry.detail;
    const timeline = [placed, { ...entry, detail: { from, to } }];
    expect(movedSentence({ ...order, timeline }, TODAY)).toBeUndefined();
  });

  it('still has the status of its last change of status', () => {
    const reason = { ...entryBy('farmer', 'accepted', 'See you there.') };
    const order = moved('farmer', { status: 'accepted' });
    const timeline = [reason, ...order.timeline.slice(1)];
    expect(nextSteps({ ...order, timeline }, TODAY)).toEqual({
      title: 'Green Valley has accepted your order',
      reason: 'See you there.',
      text: 'Pick it up on Sat, Nov 7 at 10:00–10:30 AM: Market square, 1 Main St, Putney. To cancel, write to the farm.',
    });
  });
});

it('links to the way only where an address is known', () => {
  const farm = '1 Mill Rd, Putney, VT 05346';
  const destination = (location: string, address: string) => {
    const link = directionsLink(location, address);
    return link && new URL(link).searchParams.get('destination');
  };
  expect(destination('9 New Rd, Salem, OR', farm)).toBe('9 New Rd, Salem, OR');
  expect(destination('The red gate', farm)).toBe(farm);
  expect(destination('Barn & silo #2', '')).toBeUndefined();
  expect(destination('A&B=1, "x"', farm)).toBe('A&B=1, "x"');
});

import { expect, it } from 'vitest';
import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { OrderLine, Proposal, WeightsChange } from '#contract/ordering/changes/order-lines';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import type { LoggedEvent } from '../../../server/platform/events/event-log.ts';
import { named, withWords } from '../../testing/words.ts';
import { effectsOf } from '../definitions.ts';

const ID = '00000000-0000-4000-8000-0000000000a1';
const AT = '2026-11-22T10:00:00.000Z';
const contact = (_id: string, name: string) => ({ _id, name, email: '', phone: '' });
const farmer = { ...contact('f', 'Fern'), farmName: 'Green Valley' };

const line = (over: Partial<OrderLine> = {}): OrderLine => ({
  _id: ID,
  product: { _id: null, name: 'Chicken', images: [], unit: 'kg' },
  quantity: 1,
  price: 400,
  orderedQuantity: 1,
  state: 'kept',
  onShort: 'ask',
  pieceWeight: { average: 1.2 },
  pieces: 1,
  estimate: 480,
  packed: 1.233,
  isFinal: true,
  total: 493.2,
  ...over,
});
const piece = { from: null, to: 1.233, pieces: 1 };

/** What the consumer is notified of when an order gets new weights. */
function notified(
  weighed: Partial<WeightsChange['lines'][number]>[],
  {
    totals = [480, 493.2],
    isTotalFinal = true,
    change,
    ...over
  }: {
    totals?: [number, number];
    isTotalFinal?: boolean;
  } & Partial<UpdatedOrder> = {},
) {
  const [totalBefore, totalAfter] = totals;
  const product = { _id: null, name: 'Chicken', unit: 'kg' as const };
  const detail: WeightsChange = {
    lines: weighed.map((each) => ({ lineId: ID, product, from: null, to: 1, ...each })),
    totalBefore,
    totalAfter,
    isTotalFinal,
  };
  const by = { _id: 'f', name: 'Fern', role: 'farmer' as const };
  const data: UpdatedOrder = {
    _id: ID,
    createdAt: AT,
    status: 'accepted',
    totalAmount: totalAfter,
    estimatedTotal: 480,
    isTotalFinal,
    paymentMethod: 'cash',
    notes: '',
    consumer: contact('c', 'Cleo'),
    farmer,
    items: [line()],
    openChange: null,
    packing: 'none',
    version: 4,
    timeline: [{ sequence: 3, kind: 'weights', at: AT, by, detail }],
    ...over,
    change: change ?? { kind: 'weights', ...detail },
  };
  const effects = effectsOf({
    seq: 1,
    id: ID,
    at: AT,
    requestId: null,
    rooms: [],
    name: 'order.updated',
    data,
  } satisfies LoggedEvent).filter((effect) => effect.do === 'notify');
  return withWords(effects, named({ f: 'Green Valley' }));
}

it('notifies the customer what the order costs with the last of what has to be weighed', () => {
  expect(notified([piece])).toMatchObject([
    {
      do: 'notify',
      userId: 'c',
      kind: 'order.weighed',
      key: `order.weighed:${ID}:3`,
      title: 'Your order was weighed',
      body: 'Order #00000000 at Green Valley costs ₨493.20 instead of ₨480.00.',
      link: `/orders/${ID}`,
    },
  ]);
});

it('says so when the estimate was right', () => {
  expect(notified([piece], { totals: [480, 480] })).toMatchObject([
    { body: 'Order #00000000 at Green Valley costs ₨480.00, as expected.' },
  ]);
});

it('waits for the last line', () => {
  expect(notified([piece], { isTotalFinal: false })).toEqual([]);
});

it('notifies again only of another total', () => {
  const again = { ...piece, from: 1.2 };
  expect(notified([again], { totals: [493.2, 493.2] })).toEqual([]);
  expect(notified([again], { totals: [480, 493.2] })).toMatchObject([
    { body: 'Order #00000000 at Green Valley costs ₨493.20 instead of ₨480.00.' },
  ]);
});

it('is not one message a line where the farm weighs what need not be', () => {
  const loose = { pieces: undefined, pieceWeight: undefined };
  const unweighed = line({ ...loose, packed: undefined, total: 480 } as Partial<OrderLine>);
  const weighed = line(loose as Partial<OrderLine>);
  expect(notified([{}], { items: [weighed, unweighed] })).toEqual([]);
  expect(notified([{}], { items: [weighed, weighed] })).toHaveLength(1);
});

const proposal: Proposal = {
  _id: ID,
  status: 'open',
  createdBy: { _id: 'f', name: 'Fern', role: 'farmer' },
  createdAt: AT,
  answerBy: AT,
  note: '',
  totalBefore: 480,
  totalAfter: 600,
  items: [],
};
const ended = (status: ProposalStatus): UpdatedOrder['change'] => ({
  kind: 'proposal',
  proposal: ID,
  status,
  differences: [],
  totalBefore: 480,
  totalAfter: 600,
});

it('does not notify of a total that the customer is asked about', () => {
  expect(notified([piece], { openChange: proposal })).toEqual([]);
  expect(notified([piece], { openChange: proposal, change: ended('open') })).toEqual([]);
});

it.each(['accepted', 'answered', 'expired', 'withdrawn'] as const)(
  'notifies of it when the question is %s',
  (status) => {
    expect(notified([piece], { change: ended(status), totalAmount: 600 })).toMatchObject([
      {
        key: `order.weighed:${ID}:3`,
        body: 'Order #00000000 at Green Valley costs ₨600.00 instead of ₨480.00.',
      },
    ]);
  },
);

it('does not notify of an order that ends with the question, or is not all weighed', () => {
  expect(notified([piece], { change: ended('declined'), status: 'cancelled' })).toEqual([]);
  expect(notified([piece], { change: ended('accepted'), isTotalFinal: false })).toEqual([]);
  expect(notified([piece], { change: ended('accepted'), timeline: [] })).toEqual([]);
});

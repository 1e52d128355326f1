import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CRATES_MAX, PIECES_MAX, WEIGHTS_BATCH_MAX } from '#contract/ordering/changes/constants';
import { SEEN_MAX, TICK_MAX } from '#contract/ordering/picklist/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { type Call, expectSentence, lineOf, testRefusals } from '../changes/testing/bad-input.ts';

// What weights, ticks, prints, marks of what was seen and packing cannot say.

const DAY = addDays(dayIn('UTC'), 1);
const id = randomUUID();

const calls: Record<string, Call> = {
  'a weight': {
    method: 'PUT',
    path: ({ order }) => `/orders/${order._id}/lines/${lineOf(order)}/weight`,
    as: 'farmer',
    bad: [
      { what: 'of 0', body: () => ({ packed: 0 }) },
      { what: 'of no pieces', body: () => ({ pieces: [] }) },
      { what: 'of too many pieces', body: () => ({ pieces: Array(PIECES_MAX + 1).fill(1) }) },
      { what: 'given twice', body: () => ({ packed: 4, pieces: [2, 2] }) },
      { what: 'ten times too large', body: () => ({ packed: 41 }) },
      { what: 'over another one', status: 409, body: () => ({ packed: 4, expectedPacked: 3 }) },
      {
        what: 'of a line of another order',
        status: 404,
        path: ({ order, waiting }) => `/orders/${order._id}/lines/${lineOf(waiting)}/weight`,
        body: () => ({ packed: 4 }),
      },
    ],
  },
  'weights of many lines': {
    method: 'PUT',
    path: () => '/farm/weights',
    as: 'farmer',
    bad: [
      { what: 'of no line', body: () => ({ items: [] }) },
      {
        what: 'of a line twice',
        body: ({ order }) => ({
          items: [3, 4].map((packed) => ({ orderId: order._id, lineId: lineOf(order), packed })),
        }),
      },
      {
        what: 'of which one is 0',
        body: ({ order }) => ({
          items: [
            { orderId: order._id, lineId: lineOf(order), packed: 4 },
            { orderId: order._id, lineId: lineOf(order, 1), packed: 0 },
          ],
        }),
      },
      {
        what: 'of too many lines',
        body: ({ order }) => ({
          items: Array.from({ length: WEIGHTS_BATCH_MAX + 1 }, () => ({
            orderId: order._id,
            lineId: randomUUID(),
            packed: 1,
          })),
        }),
      },
    ],
  },
  'a tick': {
    method: 'PUT',
    path: () => '/farm/picklist/ticks',
    as: 'farmer',
    bad: [
      {
        what: 'of too much',
        body: ({ kale }) => ({ date: DAY, productId: kale, unit: 'lb', quantity: TICK_MAX + 1 }),
      },
      {
        what: "of another farm's product",
        status: 404,
        body: ({ theirs }) => ({ date: DAY, productId: theirs, unit: 'lb', quantity: 1 }),
      },
      {
        what: 'over a version that is not there',
        status: 409,
        body: ({ kale }) => ({
          date: DAY,
          productId: kale,
          unit: 'lb',
          quantity: 1,
          expectedVersion: 5,
        }),
      },
    ],
  },
  'a print': {
    method: 'POST',
    path: () => '/farm/picklist/prints',
    as: 'farmer',
    bad: [
      { what: 'of a day before the calendar', body: () => ({ date: '0001-01-01' }) },
      { what: 'of an unknown place', status: 404, body: () => ({ date: DAY, place: id }) },
    ],
  },
  'what was seen': {
    method: 'PUT',
    path: () => '/farm/picklist/seen',
    as: 'farmer',
    bad: [
      {
        what: 'of too much',
        body: () => ({
          date: DAY,
          changes: Array.from({ length: SEEN_MAX + 1 }, () => ({ orderId: id, sequence: 1 })),
        }),
      },
      {
        what: 'at an unknown place',
        status: 404,
        body: () => ({ date: DAY, place: id, changes: [{ orderId: id, sequence: 1 }] }),
      },
    ],
  },
  packing: {
    method: 'PUT',
    path: ({ order }) => `/orders/${order._id}/packing`,
    as: 'farmer',
    bad: [
      { what: 'into half a crate', body: () => ({ packing: 'packed', crates: 1.5 }) },
      { what: 'into too many crates', body: () => ({ packing: 'packed', crates: CRATES_MAX + 1 }) },
      {
        what: 'of another version',
        status: 409,
        body: () => ({ packing: 'packed', expectedVersion: 77 }),
      },
      {
        what: 'of an order that is not accepted',
        status: 409,
        path: ({ waiting }) => `/orders/${waiting._id}/packing`,
        body: () => ({ packing: 'packed' }),
      },
      {
        what: 'of an order of another farm',
        status: 404,
        path: ({ other }) => `/orders/${other._id}/packing`,
        body: () => ({ packing: 'packed' }),
      },
    ],
  },
};

const fixtureOf = testRefusals(calls);

test('reads of a pick list are refused with a sentence too', async () => {
  const fixture = fixtureOf();
  const paths: [string, number][] = [
    [`/farm/picklist?date=${DAY}&place=gate`, 400],
    [`/farm/picklist?date=${DAY}&place=${id}`, 404],
    [`/farm/picklist/orders?date=${DAY}&limit=0`, 400],
    [`/farm/picklist/orders?date=${DAY}&cursor=first`, 400],
    [`/farm/picklist/days?from=${DAY}&to=${addDays(DAY, -1)}`, 400],
    [`/farm/picklist/prints/${id}`, 404],
    ['/farm/picklist/prints/last', 404],
    [`/farm/picklist/prints/${id}.pdf`, 404],
    [`/farm/picklist/labels.pdf?date=${DAY}&format=a5`, 400],
    [`/farm/picklist/labels.pdf?date=${DAY}&date=${DAY}&format=roll_62`, 400],
    [`/farm/picklist/labels.pdf?date=${DAY}&format=roll_62&place=gate`, 400],
    [`/farm/picklist/labels.pdf?date=${DAY}&format=roll_62&place=${id}`, 404],
    [`/orders/wishes?products=${id},carrots`, 400],
  ];
  for (const [path, status] of paths) {
    const as = path.startsWith('/orders') ? fixture.consumer : fixture.farmer;
    const answer = await fixture.call('GET', path, { as });
    expect([path, answer.status]).toEqual([path, status]);
    expectSentence(answer.body.message);
    for (const error of answer.body.errors ?? []) expectSentence(error.message);
  }
});

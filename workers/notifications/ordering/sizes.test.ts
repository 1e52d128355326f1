import { afterAll, expect, test } from 'vitest';
import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import {
  changedInText,
  goodsOf,
  moreGoods,
} from '#contract/people/notifications/constants/written';
import { createOrderFixture } from '../../../server/ordering/testing/fixture.ts';
import { createSized, placeSized, sizeOf } from '../../../server/ordering/testing/sizes.ts';
import { factsOf } from '../money/order-summary.ts';
import { changedOf, tableByKey, tableOfProposal } from './order-words.ts';

// Lines in sizes and in words of a farm's own, in notifications and mails.

const fixture = await createOrderFixture();
afterAll(() => fixture.close());
const { db } = fixture.platform;
const [one, five] = [sizeOf(1), sizeOf(5)];

test('a proposal names sizes and words, beside what it proposes', async () => {
  const carrots = await createSized(fixture, 100, [one, five]);
  const unitLabel = ['jar', 'jars'];
  const honey = await fixture.createProduct(50, { name: 'Honey', unit: 'each', unitLabel });
  const id = await placeSized(fixture, [
    { product: carrots, size: five, quantity: 2 },
    { product: carrots, size: one, quantity: 3 },
    { product: honey, quantity: 3, over: { unitLabel } },
  ]);
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fixture.call(method, path, { as: fixture.farmer, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  const order: Order = await call('GET', `/orders/${id}`);
  const [large, small, jars] = order.items.map(({ _id }) => _id);
  const reason = 'not_harvested';
  const asked: UpdatedOrder = await call('POST', `/orders/${id}/changes`, {
    items: [
      { lineId: large, action: 'reduce', newQuantity: 1, reason },
      { lineId: small, action: 'remove', reason },
      { lineId: jars, action: 'reduce', newQuantity: 1, reason },
    ],
  });
  const table = await tableOfProposal(db, asked.openChange?._id);
  const rows = [
    ['Carrots', '2 × 5 kg', '1 × 5 kg'],
    ['Carrots', '3 × 1 kg', '–'],
    ['Honey', '3 jars', '1 jar'],
  ];
  expect(table?.rows.slice(0, 3)).toEqual(rows);

  const entry = asked.timeline.at(-1);
  expect(
    (await tableByKey(db, `order.changeProposed:${id}:${entry?.sequence}`))?.rows.slice(0, 3),
  ).toEqual(rows);
  const { differences } = entry?.kind === 'proposal' ? entry.detail : { differences: [] };
  const changed = changedOf({ differences });
  expect(changedInText(changed)).toBe(
    'Carrots 2 × 5 kg → 1 × 5 kg, Carrots (1 kg) left out, Honey 3 jars → 1 jar',
  );
  const facts = factsOf({ order, isCustomers: false, paymentDetails: '' }, false);
  expect(facts.find(([name]) => name === 'Goods')).toEqual([
    'Goods',
    '2 × Carrots (5 kg)',
    '3 × Carrots (1 kg)',
    '3 jars Honey',
  ]);
});

test('goods that did not go back, or changed on a pick list, are named by their sizes', () => {
  const carrots = { name: 'Carrots', unit: 'kg' as const, size: { label: '5 kg' } };
  expect(goodsOf({ ...carrots, milli: 2000 })).toBe('2 × 5 kg of Carrots');
  expect(moreGoods({ ...carrots, milli: -1000 })).toBe('−1 × 5 kg of Carrots');
  const honey = { name: 'Honey', unit: 'each' as const, unitLabel: { one: 'jar', other: 'jars' } };
  expect(moreGoods({ ...honey, milli: 3000 })).toBe('+3 jars of Honey');
  // As rows from before have it.
  expect(goodsOf({ name: 'Carrots', unit: 'kg', milli: 2000 })).toBe('2 kg of Carrots');
});

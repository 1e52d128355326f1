// @long It runs a plan to its end.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attention } from '#contract/ordering/attention/attention';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../../../server/testing/market.ts';
import { hire } from '../../../../server/testing/staff.ts';
import { browserOf, createAlerts, planFor } from '../../../testing/alerts.ts';

const market = closeAfter(await startTestMarket());
const alerts = createAlerts(market);
let [farmer, consumer] = [{} as Caller, {} as Caller];
let product = '';

const subscribe = async (as: Caller, name: string) =>
  expect((await market.post('/notifications/push-subscriptions', as, browserOf(name))).status).toBe(
    201,
  );

const place = async (): Promise<string> =>
  (await market.post('/orders', consumer, orderInput(farmer.id, [{ product, quantity: 1 }]))).body
    .data._id;
const list = async (as = farmer): Promise<Attention[]> =>
  (await market.get('/attention', as)).body.data;
const onlyOne = async (): Promise<Attention> => {
  const [only, ...others] = await list();
  expect(others).toEqual([]);
  if (!only) throw new Error('Nothing waits');
  return only;
};

beforeEach(async () => {
  farmer = await market.join('farmer', 'Ada Farmer');
  consumer = await market.join('consumer', 'Cora Buyer');
  product = await sellProduct(market, farmer, await makeCategory(market.platform));
  await planFor(market, farmer);
});

describe('a new order', () => {
  it('asks by its plan, until the last step of the last round has run', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    const order = await place();
    expect((await alerts.run()).pushes.map(({ title }) => title)).toEqual(['New order']);
    expect(await onlyOne()).toMatchObject({
      state: 'waiting',
      step: 1,
      round: 1,
      kind: 'order.placed',
      rings: [farmer.id],
      order: { _id: order },
    });
    expect((await alerts.after(100)).pushes).toEqual([]);
    const second = await alerts.after(20);
    expect([second.pushes.length, second.mails.map(({ to }) => to)]).toEqual([1, [farmer.email]]);
    expect((await alerts.after(180)).pushes.length).toBe(1);
    expect(await onlyOne()).toMatchObject({ state: 'waiting', step: 3, round: 1 });
    expect((await alerts.after(24 * 60)).pushes.length).toBe(0);
    expect((await alerts.after(60)).pushes.length).toBe(1);
    expect(await onlyOne()).toMatchObject({ state: 'waiting', step: 1, round: 2 });
    await alerts.after(120);
    await alerts.after(180);
    const { told, ...only } = await onlyOne();
    expect(only).toMatchObject({ state: 'exhausted', step: 3, round: 2, nextAt: null, rings: [] });
    expect(told.map(({ channel }) => channel)).toEqual(
      ['push', 'email', 'push', 'push', 'push', 'email', 'push', 'push'].sort(),
    );
    await market.put(`/orders/${order}`, farmer, { status: 'accepted' });
    expect(await list()).toEqual([]);
  });
});

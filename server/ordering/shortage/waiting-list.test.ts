import { afterAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import type { Caller } from '../../testing/market.ts';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';

const fixture = await createChangesFixture();
afterAll(() => fixture.close());

const idsOf = async (path: string, as: Caller): Promise<string[]> => {
  const { status, body } = await fixture.call('GET', path, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.data as Order[]).map(({ _id }) => _id);
};

test('lists the orders with an open change alone, to each side, for as long as it is open', async () => {
  const { consumer, farmer } = fixture;
  await fixture.ordered();
  const { made } = await fixture.proposed();
  expect(await idsOf('/orders/consumer?openChange=true', consumer)).toEqual([made._id]);
  expect(await idsOf('/orders/farmer?openChange=true', farmer)).toEqual([made._id]);
  expect(await idsOf('/orders/consumer?openChange=true&status=accepted', consumer)).toEqual([]);
  expect(await idsOf('/orders/consumer', consumer)).toHaveLength(2);
  await fixture.withdraw(made);
  expect(await idsOf('/orders/consumer?openChange=true', consumer)).toEqual([]);
});

test('refuses any other value', async () => {
  const { status } = await fixture.call('GET', '/orders/consumer?openChange=maybe', {
    as: fixture.consumer,
  });
  expect(status).toBe(400);
});

import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createOrderFixture } from '../../ordering/testing/fixture.ts';
import { lockMarket } from '../../platform/market/settings.ts';
import { SettingError } from '../../platform/process/env.ts';
import { instantOf } from '../../platform/time/clock.ts';
import { closeAfter, orderInput } from '../../testing/market.ts';
import { beginMarket, changeTimeZone } from './service.ts';

/** A day to come on which Berlin is an hour ahead of UTC, or two. */
const DAY = addDays(dayIn('UTC'), 20);
const at = (zone: string) => instantOf({ date: DAY, time: '10:00' }, zone).toISOString();

const fixture = closeAfter(await createOrderFixture());

/** Makes another zone the market's, as an admin does. */
const adopt = (to: string) =>
  fixture.platform.db.$transaction(async (tx) => {
    const { timeZone } = await lockMarket(tx);
    await changeTimeZone(tx, { from: timeZone, to, changedBy: fixture.admin.id });
  });

it('another zone of the market is taken over by the farms that had its own, once', async () => {
  const { platform, call, farmer: follower, consumer } = fixture;
  const other = await fixture.join('farmer');
  await call('PUT', '/users/farmers/profile', {
    as: other,
    body: { farmName: 'Windy Hill', description: 'High up.', timeZone: 'Europe/Berlin' },
  });
  const orders: Order[] = [];
  for (const [index, farmer] of [follower, other].entries()) {
    const product = await fixture.createProduct(5, { farmerId: farmer.id, name: `Leeks ${index}` });
    const { body } = await call('POST', '/orders', {
      as: consumer,
      body: orderInput(farmer.id, [{ product, quantity: 1 }], {
        pickupDetails: { date: DAY, time: '10:00', location: 'Gate' },
      }),
    });
    orders.push(body.data);
  }
  expect(orders.map(({ startsAt }) => startsAt)).toEqual([at('UTC'), at('Europe/Berlin')]);

  await Promise.all([adopt('Asia/Karachi'), adopt('Asia/Karachi'), adopt('Asia/Karachi')]);
  await platform.eventLog.sequence();
  const farms = await platform.db.farmerProfile.findMany();
  expect(new Map(farms.map(({ userId, timeZone }) => [userId, timeZone]))).toEqual(
    new Map([
      [follower.id, 'Asia/Karachi'],
      [other.id, 'Europe/Berlin'],
    ]),
  );
  const { body } = await call('GET', '/orders/consumer', { as: consumer });
  const shown = new Map<string, Order>(body.data.map((order: Order) => [order._id, order]));
  expect(
    orders.map(({ _id }) => shown.get(_id)).map((order) => [order?.startsAt, order?.version]),
  ).toEqual([
    [at('Asia/Karachi'), 2],
    [at('Europe/Berlin'), 1],
  ]);
  // It was not the farm.
  expect(shown.get(orders[0]?._id ?? '')?.timeline.at(-1)?.by).toMatchObject({
    _id: fixture.admin.id,
    role: 'admin',
  });
  const { rows } = await platform.pool.query('SELECT market_zone() AS zone');
  expect(rows).toEqual([{ zone: 'Asia/Karachi' }]);
  // A farm's page in the cache of answers shows the new zone too.
  const page = await call('GET', `/users/farmers/${follower.id}`);
  expect(page.body.data.profile.timeZone).toBe('Asia/Karachi');
});

it('a zone that Postgres does not know is named in one sentence', async () => {
  const { platform } = fixture;
  const begin = () =>
    beginMarket({ ...platform, env: { ...platform.env, MARKET_TIME_ZONE: 'Mars/Base' } });
  await expect(begin()).rejects.toThrow(SettingError);
  await expect(begin()).rejects.toThrow(/MARKET_TIME_ZONE .+ "Mars\/Base"/);
});

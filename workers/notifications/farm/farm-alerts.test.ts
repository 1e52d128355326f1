import { afterAll, expect, it } from 'vitest';
import { type Caller, startTestMarket } from '../../../server/testing/market.ts';
import { hire } from '../../../server/testing/staff.ts';
import { until } from '../../../testing/until.ts';
import { startWorkers } from '../../start.ts';
import { changeStatus, placeOrder } from '../../testing/orders.ts';

const market = await startTestMarket();
const workers = await startWorkers(market.platform);
const [owner, consumer] = [await market.join('farmer'), await market.join('consumer')];
afterAll(async () => {
  await workers.close();
  await market.close();
});

const unreadOf = (person: Caller) =>
  market.platform.db.notification.count({ where: { userId: person.id, readAt: null } });

it('notifies those of a farm whom it concerns, and nobody who turned alerts off', async () => {
  const manager = await hire(market, owner, 'manager');
  const silent = await hire(market, owner, 'manager');
  const packer = await hire(market, owner, 'packer');
  await market.put(`/farm/members/${silent.memberId}`, silent, { alerts: false });
  const order = await placeOrder(market.platform, { consumer, farmer: owner });
  await until(async () => (await unreadOf(owner)) === 1 && (await unreadOf(manager)) === 1);
  expect([await unreadOf(silent), await unreadOf(packer)]).toEqual([0, 0]);

  // The person who answers, settles it for all of them.
  await changeStatus(market.platform, order, { status: 'accepted', by: owner });
  await until(async () => (await unreadOf(owner)) === 0 && (await unreadOf(manager)) === 0);
});

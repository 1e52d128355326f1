import { beforeEach, expect, it } from 'vitest';
import type { Envelope } from '#contract/platform/events/socket';
import { FARM_ROLES, type FarmRole } from '#contract/platform/session/constants';
import { until } from '../../../testing/until.ts';
import { record } from '../../platform/events/event-log.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { connectionsOf, listen, named } from './testing/connections.ts';

// What the people of a farm receive and read follows from their role, also when it changes.

let farm: Caller;
const market = closeAfter(await startTestMarket());
const consumer = await market.join('consumer');
beforeEach(async () => {
  farm = await market.join('farmer');
});
const { reconnect } = connectionsOf(() => market);

const write = async (content: string) => {
  const body = { receiver: farm.id, content };
  const answer = await market.post('/messages', consumer, body);
  expect(answer.status).toBe(201);
  return answer.body.data;
};
const setRole = (memberId: string, role: FarmRole) =>
  market.put(`/farm/members/${memberId}`, farm, { role });
const contents = (received: readonly Envelope[]) =>
  named(received, 'message.created').map(({ data }) => data.content);

it('replays messages that an older release recorded for all of a farm to those alone who may write them', async () => {
  const [packer, seller] = [await hire(market, farm, 'packer'), await hire(market, farm, 'seller')];
  const data = await write('Hello');
  const after = await market.platform.eventLog.head();
  const rooms = [`farm:${farm.id}`, `user:${consumer.id}`] as never[];
  await record(market.platform.db, { name: 'message.created', data, rooms });
  await market.platform.eventLog.sequence();
  const replayed = async ({ token }: Caller) => contents(await reconnect({ token, after }));
  expect(await replayed(packer)).toEqual([]);
  for (const as of [seller, farm, consumer]) expect(await replayed(as)).toEqual(['Hello']);
});

it('ends with the role in every tab, and begins with another one', async () => {
  const ann = await hire(market, farm, 'manager');
  const tabs = await Promise.all([1, 2].map(() => market.connect({ token: ann.token })));
  const closed = tabs.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)));
  const before = tabs.map(listen);
  await write('First');
  await until(() => before.every((received) => contents(received).length === 1));
  // From two tabs of the owner at once; the last one holds.
  await Promise.all([setRole(ann.memberId, 'seller'), setRole(ann.memberId, 'packer')]);
  expect((await setRole(ann.memberId, 'packer')).status).toBe(200);
  await Promise.all(closed);
  const after = await market.platform.eventLog.head();

  const as = { token: ann.token };
  const packing = await market.connect(as);
  const received = listen(packing);
  await write('Second');
  const closedAgain = new Promise((resolve) => packing.once('disconnect', resolve));
  await setRole(ann.memberId, 'seller');
  await closedAgain;
  expect(contents(received)).toEqual([]);
  // As REST does, a role shows what was written before it.
  expect(contents(await reconnect({ ...as, after }))).toEqual(['Second']);
});

it('closes the connection for each change of role, since commands and rooms follow from it', async () => {
  const ann = await hire(market, farm, 'packer');
  let socket = await market.connect({ token: ann.token });
  for (const role of ['seller', 'manager', 'owner', 'manager', 'packer'] as const) {
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    expect((await setRole(ann.memberId, role)).status).toBe(200);
    await closed;
    socket = await market.connect({ token: ann.token });
  }
});

it('of somebody who was removed and is invited again is the new one', async () => {
  const ann = await hire(market, farm, 'manager');
  const socket = await market.connect({ token: ann.token });
  const closed = new Promise((resolve) => socket.once('disconnect', resolve));
  const path = `/farm/members/${ann.memberId}`;
  expect((await market.delete(path, farm)).status).toBe(200);
  await closed;
  const again = await hire(market, farm, 'packer');
  const after = await market.platform.eventLog.head();
  await write('For others');
  expect(contents(await reconnect({ token: again.token, after }))).toEqual([]);
});

it('shows sums to owners and managers, and an order with its total to everyone', async () => {
  const product = await sellProduct(market, farm, await makeCategory(market.platform));
  const placed = await market.post(
    '/orders',
    consumer,
    orderInput(farm.id, [{ product, quantity: 2 }]),
  );
  await write('Hello');
  const { _id, totalAmount } = placed.body.data;
  for (const role of FARM_ROLES) {
    const as = await hire(market, farm, role);
    const { status, body } = await market.get('/orders/stats/farmer', as);
    expect([status, body.data.pendingOrders, body.data.productCount], role).toEqual([200, 1, 1]);
    const seesSales = role === 'owner' || role === 'manager';
    expect('totalRevenue' in body.data, role).toBe(seesSales);
    expect('days' in body.data, role).toBe(seesSales);
    expect(body.data.unreadMessages, role).toBe(role === 'packer' ? undefined : 1);
    const order = await market.get(`/orders/${_id}`, as);
    expect(order.body.data.totalAmount, role).toBe(totalAmount);
  }
});

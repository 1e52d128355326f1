import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attention, FarmEscalation } from '#contract/ordering/attention/attention';
import { DEFAULT_PLAN } from '#contract/ordering/attention/constants';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { acknowledgementToken } from './token.ts';

const market = closeAfter(await startTestMarket());
const { db } = market.platform;
let [farmer, other, consumer, admin] = [{}, {}, {}, {}] as Caller[] as [
  Caller,
  Caller,
  Caller,
  Caller,
];
let product = '';
beforeAll(async () => {
  [consumer, admin, other] = await Promise.all([
    market.join('consumer', 'Cora Buyer'),
    market.join('admin'),
    market.join('farmer'),
  ]);
});
beforeEach(async () => {
  farmer = await market.join('farmer', 'Ada Farmer');
  product = await sellProduct(market, farmer, await makeCategory(market.platform));
});

const place = async (): Promise<string> =>
  (await market.post('/orders', consumer, orderInput(farmer.id, [{ product, quantity: 1 }]))).body
    .data._id;

/** An order that asks for an answer, as a worker writes it, with its timer. */
async function asks(over: Record<string, unknown> = {}): Promise<{ id: string; order: string }> {
  const order = await place();
  const now = new Date();
  const params = {
    order,
    customer: { _id: consumer.id },
    count: 1,
    cost: { minor: 250 },
    handover: { date: '2030-05-01', time: '10:00', isDelivery: false, orderedAt: now },
  };
  const { id } = await db.attention.create({
    data: {
      ...{ farmId: farmer.id, kind: 'order.placed', orderId: order, subjectId: order },
      ...{ createdAt: now, roundAt: now, nextAt: now, step: 1, link: `/orders/${order}` },
      ...{ key: `order.placed:${order}`, plan: DEFAULT_PLAN as object, params, ...over },
    },
  });
  await db.timer.create({ data: { key: `attention:${id}`, kind: 'attention', dueAt: now } });
  return { id, order };
}

const list = async (as: Caller): Promise<Attention[]> =>
  (await market.get('/attention', as)).body.data;
const ack = (as: Caller, ...ids: string[]) => market.post('/attention/ack', as, { ids });
const changedEvents = async () => {
  await market.platform.eventLog.sequence();
  return (await market.platform.eventLog.read(0)).filter(
    ({ name }) => name === 'attention.changed',
  );
};

describe('what waits', () => {
  it('is listed to everybody of its farm, the oldest first, and to admins of every farm', async () => {
    const [one, two] = [await asks(), await asks()];
    const packer = await hire(market, farmer, 'packer');
    for (const each of [farmer, packer]) {
      expect((await list(each)).map(({ _id }) => _id)).toEqual([one.id, two.id]);
    }
    expect(await list(other)).toEqual([]);
    expect((await list(admin)).map(({ _id }) => _id)).toEqual(
      expect.arrayContaining([one.id, two.id]),
    );
    expect((await market.get('/attention', consumer)).status).toBe(403);
    expect((await market.get('/attention')).status).toBe(401);
    expect((await list(farmer))[0]).toMatchObject({
      order: { _id: one.order, consumer: { name: 'Cora Buyer' } },
      params: { customer: { name: 'Cora Buyer' } },
      farm: { _id: farmer.id, name: 'Ada Farmer' },
      rings: [farmer.id],
      told: [],
    });
  });

  it('is red where no push, no proven mail and no phone reaches anybody', async () => {
    await asks();
    const isUnreachable = async () => (await list(farmer))[0]?.isUnreachable;
    expect(await isUnreachable()).toBe(true);
    await db.user.update({ where: { id: farmer.id }, data: { emailVerifiedAt: new Date() } });
    expect(await isUnreachable()).toBe(false);
    const quiet = { 'order.placed': { email: false, push: true } };
    await market.put('/notifications/preferences', farmer, quiet);
    expect(await isUnreachable()).toBe(true);
    const manager = await hire(market, farmer, 'manager');
    await db.user.update({ where: { id: manager.id }, data: { emailVerifiedAt: new Date() } });
    // The plan mails to owners alone.
    expect(await isUnreachable()).toBe(true);
    await market.put(`/farm/members/${manager.memberId}`, farmer, { role: 'owner' });
    expect(await isUnreachable()).toBe(false);
  });

  it('names nobody whose account is gone', async () => {
    const leaving = await market.join('consumer', 'Leo Leaver');
    const { order } = await asks();
    await db.order.update({
      where: { id: order },
      data: { consumerId: leaving.id, status: 'accepted' },
    });
    await db.attention.updateMany({
      where: { orderId: order },
      data: {
        params: { order, customer: { _id: leaving.id } },
        userId: leaving.id,
        kind: 'order.changeProposed',
      },
    });
    expect((await list(farmer))[0]?.customer?.name).toBe('Leo Leaver');
    await market.call('DELETE', '/users/me', { as: leaving, body: { password: 'password123' } });
    expect(JSON.stringify(await list(farmer))).not.toContain('Leo');
  });
});

describe('saying "I\'m on it"', () => {
  it('keeps the first of two who say so at once, in one event', async () => {
    const ann = await hire(market, farmer, 'manager');
    for (let round = 0; round < 5; round++) {
      const { id } = await asks();
      const before = (await changedEvents()).length;
      const [one, two] = await Promise.all([ack(farmer, id), ack(ann, id)]);
      expect([one.status, two.status]).toEqual([200, 200]);
      expect(one.body.data).toEqual(two.body.data);
      expect(one.body.data[0]).toMatchObject({ _id: id, state: 'acknowledged' });
      expect((await changedEvents()).length).toBe(before + 1);
    }
  });

  it('meets an answer of the order at the same moment: it is resolved in the end', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, order } = await asks();
      const [acked, answered] = await Promise.all([
        ack(farmer, id),
        market.put(`/orders/${order}`, farmer, { status: 'accepted' }),
      ]);
      expect([acked.status, answered.status]).toEqual([200, 200]);
      expect(await list(farmer)).toEqual([]);
    }
  });

  it('is no matter of another farm, of customers, or of those who have alerts off', async () => {
    const { id } = await asks();
    const packer = await hire(market, farmer, 'packer');
    await market.put(`/farm/members/${packer.memberId}`, farmer, { alerts: false });
    expect((await ack(other, id)).status).toBe(404);
    expect((await ack(farmer, id, randomUUID())).status).toBe(404);
    expect((await ack(consumer, id)).status).toBe(403);
    expect((await ack(packer, id)).status).toBe(403);
    for (const ids of [[], ['x'], null, Array.from({ length: 101 }, () => randomUUID())]) {
      expect((await market.post('/attention/ack', farmer, { ids })).status).toBe(400);
    }
    expect((await list(farmer))[0]?.state).toBe('waiting');
    await market.put(`/farm/members/${packer.memberId}`, farmer, { alerts: true });
    expect((await ack(packer, id)).body.data[0]).toMatchObject({ by: { _id: packer.id } });
  });

  it('changes nothing once it is resolved', async () => {
    const { id, order } = await asks();
    await market.put(`/orders/${order}`, consumer, { status: 'cancelled' });
    const { status, body } = await ack(farmer, id);
    expect([status, body.data]).toEqual([
      200,
      [{ _id: id, state: 'resolved', by: null, at: null }],
    ]);
  });

  it('by a token works for whom it was made, while they work there, and not for ever', async () => {
    const { id } = await asks();
    const ann = await hire(market, farmer, 'manager');
    const tokenOf = (userId: string, { now = new Date(), round = 1, of = id } = {}) =>
      acknowledgementToken(market.env, { userId, attentions: [{ id: of, round }], now });
    const use = async (token: string) =>
      (await market.post('/attention/acknowledgements', undefined, { token })).status;
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    expect(await use(tokenOf(ann.id, { now: yesterday }))).toBe(404);
    expect(await use(tokenOf(other.id))).toBe(404);
    expect(await use(tokenOf(consumer.id))).toBe(404);
    expect(await use(tokenOf(ann.id, { of: randomUUID() }))).toBe(404);
    const packer = await hire(market, farmer, 'packer');
    expect(await use(tokenOf(packer.id))).toBe(404);
    const token = tokenOf(ann.id);
    expect(
      await use(`${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`),
    ).toBe(404);
    await market.delete(`/farm/members/${ann.memberId}`, farmer);
    expect(await use(token)).toBe(404);
    expect((await list(farmer))[0]?.state).toBe('waiting');
    expect(await use(tokenOf(farmer.id))).toBe(200);
    expect((await list(farmer))[0]).toMatchObject({ acknowledged: { by: { _id: farmer.id } } });
  });

  it('is told to the farm and to admins', async () => {
    const { id } = await asks();
    const sockets = await Promise.all(
      [farmer, admin, other, consumer].map(({ token }) => market.connect({ token })),
    );
    const heard: string[][] = sockets.map(() => []);
    for (const [index, socket] of sockets.entries()) {
      socket.on('attention.changed', ({ data }) => heard[index]?.push(data.state));
      socket.on('order.updated', () => heard[index]?.push('end'));
    }
    await ack(farmer, id);
    await market.put(`/orders/${(await list(farmer))[0]?.order?._id}`, farmer, {
      status: 'accepted',
    });
    await expect.poll(() => heard[3]).toEqual(['end']);
    await expect.poll(() => heard[0]).toEqual(['acknowledged', 'end', 'resolved']);
    expect(heard[1]).toEqual(heard[0]);
    expect(heard[2]).toEqual([]);
  });
});

describe('having seen it', () => {
  it('is noted once, and stops no plan', async () => {
    const { id } = await asks();
    const ann = await hire(market, farmer, 'manager');
    expect((await market.post('/attention/seen', ann, { ids: [id] })).status).toBe(200);
    const [first] = await list(farmer);
    expect(first).toMatchObject({ state: 'waiting', seenAt: expect.any(String) });
    await market.post('/attention/seen', farmer, { ids: [id] });
    expect((await list(farmer))[0]?.seenAt).toBe(first?.seenAt);
    expect((await market.post('/attention/seen', other, { ids: [id] })).status).toBe(404);
  });
});

describe('the plan of a farm', () => {
  const read = async (as = farmer): Promise<FarmEscalation> =>
    (await market.get('/farm/escalation', as)).body.data;
  const change = (body: object, as = farmer) => market.put('/farm/escalation', as, body);

  it('is the one of the market until it is changed, part by part, sorted by time', async () => {
    const before = await read();
    expect(before).toMatchObject({
      ...DEFAULT_PLAN,
      silentUntil: null,
      isUnreachable: true,
      version: 1,
    });
    const steps = [
      { afterSeconds: 60, to: 'user', user: farmer.id, channels: ['email', 'push'] },
      { afterSeconds: 0, to: 'all', channels: ['ring'] },
    ];
    const { body } = await change({ steps, rounds: 3, expectedVersion: 1 });
    expect(body.data).toMatchObject({
      steps: [steps[1], { ...steps[0], channels: ['push', 'email'] }],
      rounds: 3,
      ackMinutes: DEFAULT_PLAN.ackMinutes,
      quietHours: DEFAULT_PLAN.quietHours,
      version: 2,
    });
    const late = await change({ rounds: 4, expectedVersion: 1 });
    expect([late.status, late.body.code, late.body.data.rounds]).toEqual([
      409,
      'VERSION_CONFLICT',
      3,
    ]);
    await change({ quietHours: null });
    expect((await read()).quietHours).toBeNull();
    expect((await read()).rounds).toBe(3);
  });

  it('is changed by those who may change the farm', async () => {
    const [manager, packer] = [
      await hire(market, farmer, 'manager'),
      await hire(market, farmer, 'packer'),
    ];
    expect((await change({ rounds: 3 }, packer)).status).toBe(403);
    expect((await change({ rounds: 3 }, consumer)).status).toBe(403);
    expect((await change({ rounds: 3 }, manager)).status).toBe(200);
    expect((await read(packer)).rounds).toBe(3);
  });

  it.each([
    [{ steps: [] }, 'steps'],
    [{ steps: [{ afterSeconds: -1, to: 'all', channels: ['push'] }] }, 'steps.0.afterSeconds'],
    [{ steps: [{ afterSeconds: 1.5, to: 'all', channels: ['push'] }] }, 'steps.0.afterSeconds'],
    [{ steps: [{ afterSeconds: 0, to: 'all', channels: [] }] }, 'steps.0.channels'],
    [{ steps: [{ afterSeconds: 0, to: 'all', channels: ['pigeon'] }] }, 'steps.0.channels.0'],
    [{ steps: [{ afterSeconds: 0, to: 'user', channels: ['push'] }] }, 'steps.0.user'],
    [{ rounds: 0 }, 'rounds'],
    [{ rounds: 11 }, 'rounds'],
    [{ ackMinutes: 0 }, 'ackMinutes'],
    [{ pauseAfter: 0 }, 'pauseAfter'],
    [{ quietHours: { from: '21:00', to: '21:00' } }, 'quietHours.to'],
    [{ quietHours: { from: '25:00', to: '07:00' } }, 'quietHours.from'],
  ])('takes no %j', async (body, path) => {
    const { status, body: answer } = await change(body);
    expect([status, answer.errors?.[0]?.path]).toEqual([400, path]);
  });

  it('names nobody who does not work there', async () => {
    const { status, body } = await change({
      steps: [
        { afterSeconds: 0, to: 'all', channels: ['push'] },
        { afterSeconds: 0, to: 'user', user: other.id, channels: ['push'] },
      ],
    });
    expect([status, body.errors[0].path]).toEqual([400, 'steps.1.user']);
  });
});

describe('trying it out', () => {
  it('rings oneself alone', async () => {
    const sockets = await Promise.all(
      [farmer, admin, other].map(({ token }) => market.connect({ token })),
    );
    const heard: number[] = [];
    for (const [index, socket] of sockets.entries()) {
      socket.on('attention.tried', () => heard.push(index));
    }
    expect((await market.post('/farm/escalation/test', farmer, {})).status).toBe(200);
    await expect.poll(() => heard).toEqual([0]);
  });
});

it('stands in the feed of admins once nobody has answered for a quarter of an hour', async () => {
  const { id, order } = await asks({ adminsAt: new Date() });
  const { body } = await market.get('/admin/feed', admin);
  expect(
    body.data.find((each: { kind: string }) => each.kind === 'attention.waiting'),
  ).toMatchObject({
    _id: `attention.waiting:${id}`,
    kind: 'attention.waiting',
    by: null,
    order: { _id: order, status: 'pending' },
  });
});

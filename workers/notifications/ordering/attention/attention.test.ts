// @long It runs a plan to its end.

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Attention } from '#contract/ordering/attention/attention';
import { orderInclude, presentOrder } from '../../../../server/ordering/model/present.ts';
import { record } from '../../../../server/platform/events/event-log.ts';
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
import type { AlertPayload } from '../../engine/push-client.ts';

const market = closeAfter(await startTestMarket({ SMS_URL: 'http://127.0.0.1:9/' }));
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
/** As its customer moves it, whose farm has slots. */
const moved = async (id: string) => {
  const row = await market.platform.db.order.findUniqueOrThrow({
    where: { id },
    include: orderInclude,
  });
  const order = presentOrder(row);
  const at = (date: string) => ({ date, time: '10:00', location: 'Farm gate' });
  const detail = {
    from: order.startsAt,
    to: order.startsAt,
    before: at('2030-05-01'),
    after: at('2030-05-02'),
  };
  const entry = {
    kind: 'slot',
    sequence: 9,
    version: 9,
    at: new Date().toISOString(),
    by: { _id: consumer.id, name: consumer.name, role: 'consumer' },
    detail,
  };
  await record(market.platform.db, {
    name: 'order.updated',
    data: {
      ...order,
      timeline: [...order.timeline, entry],
      change: { kind: 'slot', ...detail },
    } as never,
    rooms: [],
  });
};
const onlyOne = async (): Promise<Attention> => {
  const [only, ...others] = await list();
  expect(others).toEqual([]);
  if (!only) throw new Error('Nothing waits');
  return only;
};

beforeEach(async () => {
  await market.platform.db.attention.deleteMany();
  farmer = await market.join('farmer', 'Ada Farmer');
  consumer = await market.join('consumer', 'Cora Buyer');
  product = await sellProduct(market, farmer, await makeCategory(market.platform));
  await planFor(market, farmer);
});

describe('a new order', () => {
  it('asks by its plan, until the last step of the last round has run', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    const order = await place();
    expect((await alerts.run()).pushes.map(({ title }) => title)).toEqual([
      'New order from Cora Buyer',
    ]);
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
    expect(told.map(({ channel, to }) => `${channel} ${to.name}`)).toEqual(
      Array.from({ length: 8 }, () => expect.stringMatching(/^(push|email) Ada Farmer$/)),
    );
    expect(told.filter(({ channel }) => channel === 'email').length).toBe(2);
    await market.put(`/orders/${order}`, farmer, { status: 'accepted' });
    expect(await list()).toEqual([]);
    expect(await alerts.after(24 * 3600)).toEqual({ mails: [], pushes: [] });
  });

  it('is asked for no more once somebody is on it, and again if nothing comes of it', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    await place();
    await alerts.run();
    const { _id } = await onlyOne();
    const ann = await hire(market, farmer, 'manager');
    const first = await market.post('/attention/ack', ann, { ids: [_id] });
    expect(first.body.data).toEqual([
      { _id, state: 'acknowledged', by: { _id: ann.id, name: ann.name }, at: expect.any(String) },
    ]);
    const second = await market.post('/attention/ack', farmer, { ids: [_id] });
    expect([second.status, second.body.data]).toEqual([200, first.body.data]);
    expect(await alerts.after(29 * 60)).toEqual({ mails: [], pushes: [] });
    expect((await alerts.after(60)).pushes.length).toBe(1);
    expect(await onlyOne()).toMatchObject({ state: 'waiting', step: 1, round: 2 });
    expect((await onlyOne()).acknowledged).toBeUndefined();
  });

  it('is texted by the last step to whom has proven their phone and wants it, until it is answered', async () => {
    const user = { phone: '+12025550123', phoneVerifiedAt: new Date() };
    await market.platform.db.user.update({ where: { id: farmer.id }, data: user });
    const choice = { 'order.placed': { email: false, push: false, sms: true } };
    expect((await market.put('/notifications/preferences', farmer, choice)).status).toBe(200);
    const before = alerts.texts.length;
    const order = await place();
    await alerts.run();
    expect((await onlyOne()).isUnreachable).toBe(false);
    await alerts.after(120);
    expect(alerts.texts.length).toBe(before);
    await alerts.after(180);
    expect(alerts.texts.length).toBe(before + 1);
    expect(JSON.stringify(alerts.texts.at(-1))).toContain(`/orders/${order}`);
    expect((await onlyOne()).told).toMatchObject([{ channel: 'sms', to: { name: 'Ada Farmer' } }]);
  });

  it('is sent by its plan alone, and as people prefer', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    const preferences = { 'order.placed': { email: true, push: false } };
    await market.put('/notifications/preferences', farmer, preferences);
    const order = await place();
    expect(await alerts.run()).toEqual({ mails: [], pushes: [] });
    const { body } = await market.get('/notifications', farmer);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['order.placed']);
    const { pushes, mails } = await alerts.after(120);
    expect([pushes, mails.length]).toEqual([[], 1]);
    expect(mails[0]?.subject).toMatch(/^You have a new order: /);
    expect(mails[0]?.text).toContain(`/orders/${order}`);
  });

  it('goes together with others that come within 20 seconds, in the place of the first', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    await place();
    const [first] = (await alerts.run()).pushes;
    await place();
    await place();
    await place();
    expect((await alerts.run()).pushes).toEqual([]);
    await alerts.after(15);
    const { pushes } = await alerts.after(6);
    expect(pushes).toEqual([
      expect.objectContaining({
        title: '4 new orders',
        tag: first?.tag,
        renotify: true,
        link: '/farmer/orders',
        badge: 4,
      }),
    ]);
    // All of them are due again within a moment, two minutes after the first.
    const again = await alerts.after(100);
    expect(again.pushes.map(({ title }) => title)).toEqual(['4 new orders']);
    const { mails } = await alerts.after(20);
    expect(mails.map(({ subject }) => subject)).toEqual(['4 new orders']);
  });

  it('comes once, as its latest step, where nobody looked for an hour', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    await place();
    await alerts.follow();
    const { pushes, mails } = await alerts.after(3600);
    expect([pushes.length, mails.length]).toEqual([1, 0]);
    expect(await onlyOne()).toMatchObject({ step: 3, round: 1 });
    expect((await alerts.after(120)).pushes).toEqual([]);
  });

  it("is answered from the phone by its push's token, once", async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    await place();
    const [push] = (await alerts.run()).pushes as AlertPayload[];
    expect(push).toMatchObject({
      actions: [{ action: 'ack', title: "I'm on it" }],
      badge: 1,
      requireInteraction: true,
      silent: false,
    });
    const use = (token: string | undefined) =>
      market.post('/attention/acknowledgements', undefined, { token });
    const first = await use(push?.token);
    expect(first.body.data).toMatchObject([{ state: 'acknowledged', by: { name: 'Ada Farmer' } }]);
    const again = await use(push?.token);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect((await use(`${push?.token?.slice(0, -2)}AA`)).status).toBe(404);
    for (const broken of ['x', '', 'y'.repeat(1999), null, 7]) {
      expect([400, 404]).toContain((await use(broken as string)).status);
    }
    // Of another round it says nothing.
    await alerts.after(31 * 60);
    expect(await onlyOne()).toMatchObject({ state: 'waiting', round: 2 });
    expect((await use(push?.token)).body.data).toMatchObject([{ state: 'waiting', by: null }]);
    expect(await onlyOne()).toMatchObject({ state: 'waiting', round: 2 });
  });

  it('ends with its order, whoever ends that', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    const order = await place();
    await alerts.run();
    const { body } = await market.put(`/orders/${order}`, consumer, { status: 'cancelled' });
    expect(body.success).toBe(true);
    expect(await list()).toEqual([]);
    expect(await alerts.after(3600)).toEqual({ mails: [], pushes: [] });
  });

  it('reaches nobody who left the farm meanwhile, is off today or may not answer', async () => {
    const [ann, ben, cem] = [
      await hire(market, farmer, 'manager'),
      await hire(market, farmer, 'manager'),
      await hire(market, farmer, 'packer'),
    ];
    for (const each of [farmer, ann, ben, cem]) await subscribe(each, `phone ${each.id}`);
    const { body } = await market.put('/attention/off', ben, { isOff: true });
    expect(Date.parse(body.data.offUntil)).toBeGreaterThan(Date.now());
    await place();
    expect((await alerts.run()).pushes.length).toBe(2);
    expect((await onlyOne()).rings).toEqual([farmer.id, ann.id]);
    await market.delete(`/farm/members/${ann.memberId}`, farmer);
    expect((await onlyOne()).rings).toEqual([farmer.id]);
    expect((await alerts.after(120)).pushes.length).toBe(1);
    await market.put('/attention/off', ben, { isOff: false });
    expect((await alerts.after(180)).pushes.length).toBe(2);
  });

  it('keeps the plan with which it began', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    await place();
    await alerts.run();
    await planFor(market, farmer, {
      steps: [{ afterSeconds: 0, to: 'owner', channels: ['email'] }],
      rounds: 1,
    });
    const { pushes, mails } = await alerts.after(120);
    expect([pushes.length, mails.length]).toEqual([1, 1]);
    await place();
    const next = await alerts.run();
    expect(next.pushes.length).toBe(0);
    expect((await list()).map(({ state }) => state)).toEqual(['waiting', 'exhausted']);
  });
});

it('somebody who tries it out is told at once, whatever they prefer', async () => {
  await subscribe(farmer, `phone ${farmer.id}`);
  const preferences = { 'order.placed': { email: false, push: false } };
  await market.put('/notifications/preferences', farmer, preferences);
  await market.post('/farm/escalation/test', farmer, {});
  expect((await alerts.run()).pushes).toMatchObject([
    { title: 'This is how a new order reaches you.', requireInteraction: true, actions: [] },
  ]);
});

describe('another kind', () => {
  it('a time that its customer moved asks gently, until it is seen', async () => {
    await subscribe(farmer, `phone ${farmer.id}`);
    const order = await place();
    await market.put(`/orders/${order}`, farmer, { status: 'accepted' });
    await alerts.run();
    await moved(order);
    expect((await alerts.run()).pushes.length).toBe(1);
    const only = await onlyOne();
    expect(only).toMatchObject({ kind: 'order.slotMoved', rings: [] });
    expect((await market.post('/attention/seen', farmer, { ids: [only._id] })).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  it('what a customer is asked shows whether they have seen it', async () => {
    const order = await place();
    await alerts.run();
    const { body } = await market.get(`/orders/${order}`, farmer);
    const [line] = body.data.items;
    const proposed = await market.post(`/orders/${order}/changes`, farmer, {
      _id: randomUUID(),
      expectedVersion: body.data.version,
      items: [{ lineId: line._id, action: 'remove', reason: 'quality' }],
    });
    expect(proposed.body).toMatchObject({ success: true });
    await alerts.run();
    expect(await onlyOne()).toMatchObject({
      kind: 'order.changeProposed',
      customer: { name: 'Cora Buyer' },
      seenAt: null,
      rings: [],
    });
    await market.put('/notifications/read', consumer, { subject: { kind: 'order', _id: order } });
    expect(await list()).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { EVENTS_WATCH_MAX, REPLAY_MAX, SOCKET_LIMITS } from '#contract/platform/events/constants';
import type { Envelope } from '#contract/platform/events/socket';
import { until } from '../../../testing/until.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { logReadsWaiting } from '../../platform/metrics/metrics.ts';
import {
  type Answer,
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import {
  connectionsOf,
  dataIds,
  eventFor,
  named,
  publicEvent,
  startSecondProcess,
} from './testing/connections.ts';

const market = closeAfter(await startTestMarket());
const second = closeAfter(await startSecondProcess(market.env));
const [consumer, farmer, admin] = await Promise.all([
  market.join('consumer'),
  market.join('farmer'),
  market.join('admin'),
]);
const category = await makeCategory(market.platform);
const { write, reconnect } = connectionsOf(() => market);

const headNow = async (): Promise<number> => {
  await market.platform.eventLog.sequence();
  return market.platform.eventLog.head();
};

type Read = { after?: number; watch?: string[]; wait?: number; epoch?: string };

/** Reads the log over HTTP, of this process or another. */
async function read(
  as: Caller | undefined,
  { watch, ...query }: Read,
  { url = market.url, signal }: { url?: string; signal?: AbortSignal } = {},
): Promise<{ status: number; events: Envelope[]; body: Answer['body'] }> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  if (watch) search.set('watch', watch.join());
  const response = await fetch(`${url}/api/events?${search}`, {
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
    ...(signal && { signal }),
  });
  const body = (await response.json()) as Answer['body'];
  return { status: response.status, events: body.data?.events ?? [], body };
}

/** How many reads wait for news in this process. */
const waiting = async (): Promise<number> => {
  const { values } = await logReadsWaiting.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};

const untilWaiting = (count: number) => until(async () => (await waiting()) === count);

describe('a read of the log', () => {
  it('answers everybody what a socket would be sent, on any process', async () => {
    const parties = [undefined, consumer, farmer, admin, await market.join('consumer')];
    const after = await headNow();
    const product = await sellProduct(market, farmer, category);
    await market.post('/orders', consumer, orderInput(farmer.id, [{ product, quantity: 2 }]));
    await market.post('/messages', consumer, { receiver: farmer.id, content: 'Is it ripe?' });
    await market.put(`/products/${product}`, farmer, { isActive: false });
    const seq = await headNow();
    for (const party of parties) {
      const auth = party ? { token: party.token } : {};
      const sent = await reconnect({ ...auth, after });
      const events = sent.filter(({ name }) => name !== 'connected.changed').slice(0, -1);
      for (const url of [market.url, second.url]) {
        const { status, body } = await read(party, { after, wait: 0 }, { url });
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ events, synced: { seq } });
      }
    }
  });

  it('says at once where the log stands to who does not know', async () => {
    const { body } = await read(undefined, {});
    const { seq, epoch } = body.data.synced;
    expect(body.data).toEqual({ events: [], synced: { seq: await headNow(), epoch } });
    expect(seq).toBeGreaterThan(0);
  });

  it('asks to start over where nothing can be replayed', async () => {
    const { body } = await read(consumer, { after: 1, epoch: randomUUID(), wait: 0 });
    expect(body.data).toMatchObject({ events: [], resync: { seq: await headNow() } });
    expect(body.data.synced).toBeUndefined();
    const after = await headNow();
    const events = Array.from({ length: REPLAY_MAX + 1 }, () => eventFor(consumer));
    for (let start = 0; start < events.length; start += 100) {
      await write(...events.slice(start, start + 100));
    }
    const late = await read(consumer, { after, wait: 0 });
    expect(late.body.data.resync.seq).toBe(await headNow());
    expect((await read(consumer, { after: 10 ** 9, wait: 0 })).body.data.resync).toBeDefined();
  });

  it.each([
    ['after', '-1'],
    ['after', 'x'],
    ['after', '1.5'],
    ['epoch', 'x'],
    ['watch', 'x'],
    ['watch', Array.from({ length: EVENTS_WATCH_MAX + 1 }, () => randomUUID()).join()],
    ['wait', '21'],
    ['wait', '-1'],
  ])('refuses %s=%s', async (name, value) => {
    expect((await market.get(`/events?${name}=${value}`)).status).toBe(400);
  });
});

describe('a read that waits', () => {
  it('is answered by the first news of its reader, and by nothing else', async () => {
    const other = await market.join('consumer');
    const after = await headNow();
    const reading = read(consumer, { after });
    await untilWaiting(1);
    await write(eventFor(other));
    await write(eventFor(consumer), publicEvent());
    const { events, body } = await reading;
    expect(events).toHaveLength(2);
    expect(body.data.synced.seq).toBe(after + 3);
    expect(await waiting()).toBe(0);
  });

  it('is answered on a process that did not cause the news', async () => {
    const after = await headNow();
    const product = await sellProduct(market, farmer, category);
    const { body } = await market.post(
      '/orders',
      consumer,
      orderInput(farmer.id, [{ product, quantity: 1 }]),
    );
    const known = await headNow();
    const reading = read(consumer, { after: known }, { url: second.url });
    await untilWaiting(1);
    await market.put(`/orders/${body.data._id}`, farmer, { status: 'accepted' });
    const [event] = named((await reading).events, 'order.updated');
    expect(event?.data).toMatchObject({ _id: body.data._id, status: 'accepted' });
    expect(known).toBeGreaterThan(after);
  });

  it('is answered by news of what it watches alone, of all that everyone may watch', async () => {
    const [watched, other] = await Promise.all([
      sellProduct(market, farmer, category),
      sellProduct(market, farmer, category),
    ]);
    const rename = (id: string, name: string) =>
      market.put(`/products/${id}`, farmer, productInput(category, { name }));
    const after = await headNow();
    const reading = read(undefined, { after, watch: [randomUUID(), watched] });
    await untilWaiting(1);
    await rename(other, 'Unwatched');
    await headNow();
    expect(await waiting()).toBe(1);
    await rename(watched, 'Watched');
    const { events } = await reading;
    // Both are of what a replay sends.
    expect(named(events, 'product.updated').map(({ data }) => data)).toMatchObject([
      { name: 'Unwatched' },
      { name: 'Watched' },
    ]);
  });

  it('ends with its time, and costs the database nothing', async () => {
    const readers = await Promise.all(Array.from({ length: 5 }, () => market.join('consumer')));
    const after = await headNow();
    // What is cached of their sessions.
    for (const reader of readers) await read(reader, { after, wait: 0 });
    const query = vi.spyOn(market.platform.pool, 'query');
    const reads = readers.flatMap((reader) =>
      Array.from({ length: 8 }, () => read(reader, { after, wait: 1 })),
    );
    for (const { body } of await Promise.all(reads)) {
      expect(body.data).toMatchObject({ events: [], synced: { seq: after } });
    }
    const names = query.mock.calls.map(([what]) => (what as { name?: string }).name ?? what);
    query.mockRestore();
    // The process itself asks for what is new, and writes now and then, however many wait.
    const polls = ['read_events', 'sequence_events'];
    const others = names.filter((name) => !polls.includes(name as string));
    expect(others.length).toBeLessThan(reads.length / 2);
  });

  it('ends when its client leaves', async () => {
    const leaving = new AbortController();
    const reading = read(consumer, { after: await headNow() }, { signal: leaving.signal });
    await untilWaiting(1);
    leaving.abort();
    await expect(reading).rejects.toThrow();
    await untilWaiting(0);
  });

  it('is refused beyond what a person may have open, and others are not', async () => {
    const after = await headNow();
    const someone = await market.join('consumer');
    const known = await headNow();
    const open = Array.from({ length: SOCKET_LIMITS.socketsPerUser }, () =>
      read(someone, { after: known }),
    );
    await untilWaiting(open.length);
    const { status, body } = await read(someone, { after: known });
    expect(status).toBe(429);
    expect(body.message).toMatch(/^Too many/);
    expect((await read(someone, { after, wait: 0 })).status).toBe(200);
    const other = read(consumer, { after: known });
    await untilWaiting(open.length + 1);
    await write(publicEvent());
    const answers = await Promise.all([...open, other]);
    expect(answers.map((answer) => answer.events.length)).toEqual(answers.map(() => 1));
  });

  it('ends with its session, on every process', async () => {
    const leaving = await market.join('consumer');
    const after = await headNow();
    const readings = [market.url, second.url].map((url) => read(leaving, { after }, { url }));
    await untilWaiting(2);
    await market.post('/auth/logout', leaving, {});
    for (const { status } of await Promise.all(readings)) expect(status).toBe(401);
    expect((await read(leaving, { after })).status).toBe(401);
  });

  it('sees by the new role of its reader what follows the change', async () => {
    const worker = await market.join('farmer', 'Worker');
    await market.platform.db.$transaction(async (tx) => {
      await tx.farmMember.deleteMany({ where: { userId: worker.id } });
      const member = { farmId: farmer.id, userId: worker.id, role: 'packer' as const };
      await tx.farmMember.create({ data: member });
      await record(tx, { name: 'session.changed', data: { _id: worker.id }, rooms: [] });
    });
    const after = await headNow();
    const reading = read(worker, { after });
    await untilWaiting(1);
    await market.platform.db.$transaction(async (tx) => {
      await tx.farmMember.deleteMany({ where: { userId: worker.id } });
      await record(tx, { name: 'session.changed', data: { _id: worker.id }, rooms: [] });
    });
    await market.platform.eventLog.sequence();
    expect((await reading).events).toEqual([]);
    const forFarm: NewEvent = { ...eventFor(worker), rooms: [`farm:${farmer.id}` as never] };
    await write(forFarm, eventFor(worker));
    const { events } = await read(worker, { after, wait: 0 });
    expect(dataIds(events)).toHaveLength(1);
  });

  it('is answered when its process stops', async () => {
    const third = await startSecondProcess(market.env);
    const after = await headNow();
    const reading = read(consumer, { after }, { url: third.url });
    await untilWaiting(1);
    await third.close();
    expect((await reading).body.data).toMatchObject({ events: [], synced: { seq: after } });
  });
});

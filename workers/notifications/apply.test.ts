import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Platform } from '../../server/platform/http/platform.ts';
import { transact } from '../../server/platform/stores/postgres.ts';
import { type Caller, closeAfter, startTestMarket } from '../../server/testing/market.ts';
import { applyEffects, handleEvents } from './apply.ts';
import type { Effect } from './engine/definition.ts';

let reader: Caller;
let follower: string;

const market = closeAfter(await startTestMarket());
beforeEach(async () => {
  reader = await market.join('farmer');
  follower = randomUUID();
  await market.platform.db.follower.create({ data: { name: follower, seq: 0 } });
});

type Notify = Extract<Effect, { do: 'notify'; kind: 'stock.low' }>;
const aboutGoods = (product: string) => ({ product, unit: 'kg' as const, leftMilli: 0 });
const notify = (key: string, rest: Partial<Notify> = {}): Effect => ({
  do: 'notify',
  userId: reader.id,
  kind: 'stock.low',
  key,
  params: aboutGoods(key),
  link: '/products',
  ...rest,
});

/** Handles effects as those of the events 1, 2, 3 … in one batch. */
const handle = (effects: Effect[], from = 0, platform: Platform = market.platform) =>
  handleEvents(
    platform,
    follower,
    from + effects.length,
    effects.map((effect, index) => ({ ...effect, seq: from + index + 1, requestId: null })),
  );

type Told = { params: { product: string }; createdAt: string };

const shown = async () => {
  const { body } = await market.get('/notifications?limit=200', reader);
  return (body.data as Told[]).map(({ params }) => params.product);
};

/** Returns the notifications of the events, in their order. */
async function announced(): Promise<Told[]> {
  await market.platform.eventLog.sequence();
  const rows = await market.platform.db.eventLog.findMany({
    where: { name: 'notification.created', rooms: { has: `user:${reader.id}` } },
    orderBy: { seq: 'asc' },
  });
  return rows.map(({ data }) => data as unknown as Told);
}

it('handles each event once when many processes handle it at the same time', async () => {
  const effects = Array.from({ length: 20 }, (_, index) => notify(String(index)));
  const handled = await Promise.all(Array.from({ length: 8 }, () => handle(effects)));
  const winners = handled.filter(({ planned }) => planned.length > 0);
  expect(winners).toMatchObject([{ passed: 0 }]);
  expect(winners[0]?.planned).toHaveLength(20);
  expect(await announced()).toHaveLength(20);
  expect(await shown()).toHaveLength(20);
});

it('handles only the rest when another process handled a part', async () => {
  await handle([notify('a'), notify('b')]);
  const { passed, planned } = await handle([notify('a2'), notify('b2'), notify('c')]);
  expect(passed).toBe(2);
  expect(planned).toHaveLength(1);
  expect(await shown()).toEqual(['c', 'b', 'a']);
});

it('decides again when another process wrote between its read and its write', async () => {
  const { pool } = market.platform;
  let queries = 0;
  let isOutdated: Promise<unknown> = Promise.resolve();
  const slow = {
    ...market.platform,
    pool: {
      query: async (text: string, values: unknown[]) => {
        // Paused before its write: it holds no lock that blocks the other.
        if (queries++ === 1) {
          isOutdated = handle([notify('a', { unlessFlag: 'low' })]);
          await isOutdated;
        }
        return pool.query(text, values);
      },
    },
  } as unknown as Platform;
  const effects = [
    notify('a', { unlessFlag: 'low' }),
    notify('b', { unlessFlag: 'low' }),
    notify('c'),
  ];
  const { passed } = await handle(effects, 0, slow);
  await isOutdated;
  expect(passed).toBe(1);
  expect(await shown()).toEqual(['c', 'a']);
});

it('settles nothing that another process made of a later event', async () => {
  const restocked: Effect = { do: 'settle', userId: reader.id, links: ['/products'] };
  await handle([notify('low')]);
  const { pool } = market.platform;
  const effects = [restocked, notify('sold out')];
  let queries = 0;
  const outdated = {
    ...market.platform,
    pool: {
      query: async (text: string, values: unknown[]) => {
        const answer = await pool.query(text, values);
        // Both have read the same state, and the other writes first.
        if (queries++ === 0) await handle(effects, 1);
        return answer;
      },
    },
  } as unknown as Platform;
  await handle(effects, 1, outdated);
  const { body } = await market.get('/notifications', reader);
  expect(body.data).toMatchObject([
    { params: aboutGoods('sold out'), isRead: false },
    { params: aboutGoods('low'), isRead: true },
  ]);
  expect(body.unreadCount).toBe(1);
});

it('keeps the order of events across batches', async () => {
  const keys = Array.from({ length: 150 }, (_, index) => String(index).padStart(3, '0'));
  for (const start of [0, 50, 100]) {
    await handle(
      keys.slice(start, start + 50).map((key) => notify(key)),
      start,
    );
  }
  expect(await shown()).toEqual(keys.toReversed());
  const events = await announced();
  expect(events.map(({ params }) => params.product)).toEqual(keys);
  expect(new Set(events.map(({ createdAt }) => createdAt)).size).toBe(150);
});

it('notifies once per key, also when a reminder and an event use it at the same time', async () => {
  const { platform } = market;
  const remind = () =>
    transact(platform.db, (tx) => applyEffects(tx, platform.env, [notify('a'), notify('a')]));
  const [handled, ...reminded] = await Promise.all([handle([notify('a')]), remind(), remind()]);
  expect(await shown()).toEqual(['a']);
  expect(await announced()).toHaveLength(1);
  // One email, as one of them planned it.
  expect([handled.planned, ...reminded].flat()).toHaveLength(1);
});

it('publishes a notification in the form of the list', async () => {
  const params = aboutGoods(`"Quotes" \\ and ₨ 🥕 O'Neil {"$1": null}\n\tsecond line`);
  await handle([notify('a', { params })]);
  const { body } = await market.get('/notifications', reader);
  expect(await announced()).toEqual(body.data);
  expect(body.data).toMatchObject([{ params }]);
});

it('keeps unread counts consistent with the order of the events', async () => {
  const rounds = Array.from({ length: 20 }, async (_, index) => {
    await transact(market.platform.db, (tx) =>
      applyEffects(tx, market.env, [notify(`a${index}`), notify(`b${index}`)]),
    );
    await market.put('/notifications/read', reader, {});
  });
  await Promise.all(rounds);
  await market.platform.eventLog.sequence();
  const events = await market.platform.db.eventLog.findMany({
    where: { rooms: { has: `user:${reader.id}` } },
    orderBy: { seq: 'asc' },
  });
  let unread = 0;
  for (const { name, data } of events) {
    if (name === 'notification.created') unread++;
    if (name === 'notifications.read') {
      expect(data).toMatchObject({ ids: null, unreadCount: 0 });
      unread = 0;
    }
  }
  const { body } = await market.get('/notifications', reader);
  expect(body.unreadCount).toBe(unread);
});

it('moves the cursor past events without effects', async () => {
  expect(await handleEvents(market.platform, follower, 7, [])).toMatchObject({
    passed: 0,
    planned: [],
  });
  expect(await handleEvents(market.platform, follower, 7, [])).toMatchObject({
    passed: 7,
    planned: [],
  });
});

it('throws when the cursor is lost, instead of handling events twice', async () => {
  await market.platform.db.follower.delete({ where: { name: follower } });
  await expect(handle([notify('a')])).rejects.toThrow('There is no cursor');
  expect(await shown()).toEqual([]);
});

it('ignores a deleted account', async () => {
  await market.platform.db.user.update({
    where: { id: reader.id },
    data: { deletedAt: new Date() },
  });
  const effects = [notify('a'), notify('b', { userId: randomUUID() })];
  expect(await handle(effects)).toMatchObject({ passed: 0, planned: [] });
  expect(await announced()).toEqual([]);
});

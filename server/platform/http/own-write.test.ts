import { afterAll, expect, it, vi } from 'vitest';
import { room } from '#contract/platform/events/constants';
import { makeCategory, startTestMarket } from '../../testing/market.ts';
import { record } from '../events/event-log.ts';
import { createPlatform } from './platform.ts';

/** Another process on the same stores, of which Redis brings nothing. */
const market = await startTestMarket();
const other = await createPlatform(market.env, 'test');
vi.spyOn(other.redis, 'withDeadline').mockRejectedValue(new Error('Redis is slow.'));
afterAll(async () => {
  await other.close();
  await market.close();
});

const nameOf = async (id: string): Promise<string> => {
  const { body } = await market.get('/categories');
  return body.data.find(({ _id }: { _id: string }) => _id === id)?.name;
};

/** Renames a category as a request to this process does, whose events the other one numbers. */
async function rename(id: string, name: string): Promise<void> {
  const { db, eventLog } = market.platform;
  await db.$transaction(async (tx) => {
    await tx.category.update({ where: { id }, data: { name, nameKey: name.toLowerCase() } });
    await record(tx, { name: 'category.changed', data: { _id: id }, rooms: [room.everyone] });
  });
  await other.eventLog.sequence();
  await eventLog.sequence();
}

it('anyone who writes reads their own write, though another process has numbered its events', async () => {
  const id = await makeCategory(market.platform);
  for (let times = 1; times <= 5; times++) {
    await nameOf(id);
    await rename(id, `Name ${times} of ${id}`);
    expect(await nameOf(id)).toBe(`Name ${times} of ${id}`);
  }
});

it('receives each event of another process before the own ones after it', async () => {
  const received: number[] = [];
  const stop = market.platform.eventLog.onBatch((events) => {
    for (const { seq } of events) received.push(seq);
  });
  const id = await makeCategory(market.platform);
  await rename(id, `Other name of ${id}`);
  await market.platform.db.$transaction((tx) =>
    record(tx, { name: 'category.changed', data: { _id: id }, rooms: [room.everyone] }),
  );
  await market.platform.eventLog.sequence();
  stop();
  const head = await market.platform.eventLog.head();
  expect([...new Set(received)].slice(-2)).toEqual([head - 1, head]);
});

import type { IRedisClient } from 'bullmq';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestMarket, type TestMarket } from '../../testing/market.ts';

let market: TestMarket;

beforeAll(async () => {
  market = await startTestMarket();
});
afterAll(() => market.close());

it('survives a connection error that BullMQ does not listen for', () => {
  const connection = market.platform.queues().connectWorkers().connection as IRedisClient;
  const blocking = connection.duplicate();
  const lost = new Error('Socket closed unexpectedly');
  for (const each of [connection, blocking, blocking.duplicate()]) {
    expect(each.emit('error', lost)).toBe(true);
    each.disconnect();
  }
});

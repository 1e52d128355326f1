import type { IRedisClient } from 'bullmq';
import { expect, it } from 'vitest';
import { closeAfter, startTestMarket } from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());

it('survives a connection error that BullMQ does not listen for', () => {
  const connection = market.platform.queues().connectWorkers().connection as IRedisClient;
  const blocking = connection.duplicate();
  const lost = new Error('Socket closed unexpectedly');
  for (const each of [connection, blocking, blocking.duplicate()]) {
    expect(each.emit('error', lost)).toBe(true);
    each.disconnect();
  }
});

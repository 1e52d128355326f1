import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EventData, PassingEventName } from '#contract/realtime';
import type { Log } from '../platform/log.ts';
import type { Redis } from '../platform/redis.ts';

/** Something of the moment for the sockets of every process: an event and the room that may see it. */
export type Passing = {
  [Name in PassingEventName]: { name: Name; room: string; data: EventData<Name> };
}[PassingEventName];

/** People connected to one process, by role. */
export type RoleCounts = EventData<'connected.changed'>;

interface Hearers {
  onPassing(passing: Passing): void;
  onCounts(processId: string, counts: RoleCounts): void;
}

const Message = z.object({
  from: z.string(),
  passing: z.object({ name: z.string(), room: z.string(), data: z.unknown() }).optional(),
  counts: z
    .object({
      visitor: z.number(),
      consumer: z.number(),
      farmer: z.number(),
      admin: z.number(),
    })
    .optional(),
});

export type Relay = Awaited<ReturnType<typeof createRelay>>;

/**
 * Carries what is only of the moment between the processes, over Redis. What is said while Redis is
 * away stays in its own process: typing and presence may be missed, they are never needed.
 */
export async function createRelay(
  options: { redis: Redis; prefix: string; log: Log },
  hearers: Hearers,
) {
  const { redis, log } = options;
  const processId = randomUUID();
  const channel = `${options.prefix}:passing`;
  const subscriber = redis.duplicate();
  subscriber.on('error', () => {});
  await subscriber.connect();
  await subscriber.subscribe(channel, (text) => {
    try {
      const { from, passing, counts } = Message.parse(JSON.parse(text));
      if (from === processId) return;
      if (passing) hearers.onPassing(passing as Passing);
      if (counts) hearers.onCounts(from, counts);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'An unreadable word between processes');
    }
  });

  const tell = (message: Omit<z.infer<typeof Message>, 'from'>) => {
    if (!redis.isReady) return;
    redis.publish(channel, JSON.stringify({ from: processId, ...message })).catch(() => {});
  };

  return {
    processId,
    /** Hands an event to the sockets of this process now and to those of the others in a moment. */
    send(passing: Passing): void {
      hearers.onPassing(passing);
      tell({ passing });
    },
    /** Hands an event to the sockets of this process alone. */
    sendHere(passing: Passing): void {
      hearers.onPassing(passing);
    },
    /** Tells the others how many people are connected here. */
    sendCounts(counts: RoleCounts): void {
      tell({ counts });
    },
    close(): void {
      if (subscriber.isOpen) subscriber.destroy();
    },
  };
}

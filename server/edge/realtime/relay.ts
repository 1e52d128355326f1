import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EphemeralEventName, EventData } from '#contract/platform/events/event';
import type { Log } from '../../platform/process/log.ts';
import { type Redis, subscribe } from '../../platform/stores/redis.ts';

/** An ephemeral event for the sockets of every process, and the room that may see it. */
export type Ephemeral = {
  [Name in EphemeralEventName]: { name: Name; room: string; data: EventData<Name> };
}[EphemeralEventName];

/** People connected to one process, by role. */
export type RoleCounts = EventData<'connected.changed'>;

interface Handlers {
  onEphemeral(event: Ephemeral): void;
  onCounts(processId: string, counts: RoleCounts): void;
}

const Message = z.object({
  from: z.string(),
  event: z.object({ name: z.string(), room: z.string(), data: z.unknown() }).optional(),
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
 * Creates the relay of ephemeral events between processes over Redis. While Redis is away they reach
 * only this process's sockets; typing and presence may be lost.
 */
export async function createRelay(
  options: { redis: Redis; prefix: string; log: Log },
  handlers: Handlers,
) {
  const { redis, log } = options;
  const processId = randomUUID();
  const channel = `${options.prefix}:ephemeral`;
  const subscription = await subscribe(redis, channel, (text) => {
    try {
      const { from, event, counts } = Message.parse(JSON.parse(text));
      if (from === processId) return;
      if (event) handlers.onEphemeral(event as Ephemeral);
      if (counts) handlers.onCounts(from, counts);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'Invalid relay message; ignored');
    }
  });

  const publish = (message: Omit<z.infer<typeof Message>, 'from'>) => {
    const text = JSON.stringify({ from: processId, ...message });
    redis.withDeadline(() => redis.publish(channel, text)).catch(() => {});
  };

  return {
    processId,
    /** Sends an event to the sockets of all processes. */
    send(event: Ephemeral): void {
      handlers.onEphemeral(event);
      publish({ event });
    },
    /** Sends an event to the sockets of this process only. */
    sendLocally(event: Ephemeral): void {
      handlers.onEphemeral(event);
    },
    /** Sends this process's connection counts to the others. */
    sendCounts(counts: RoleCounts): void {
      publish({ counts });
    },
    close: subscription.close,
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../process/log.ts';
import type { LoggedEvent } from './event.ts';
import { type EventReader, READ_BATCH } from './read.ts';

/** A running follower. `close` stops it after the current event. */
export interface Following {
  readonly seq: number;
  close(): Promise<void>;
}

/**
 * How long after the last batch the table is polled, with Redis and without it. A Redis that hangs counts as live until a
 * command misses its deadline, and within a second whoever was put out must be out in every process.
 */
const POLL_MS = { live: 600, withoutRedis: 200 };

/**
 * Calls `handler` with every event after `after`, in order and without a gap, until it is closed. When
 * the handler throws, it is called with the same event again. Yields to the event loop between events,
 * so that a long batch does not block requests.
 */
export function followEvents(
  source: {
    read: EventReader['read'];
    onBatch: (listener: (events: readonly LoggedEvent[]) => void) => () => void;
    isLive: () => boolean;
    log: Log;
  },
  after: number,
  handler: (event: LoggedEvent) => void | Promise<void>,
): Following {
  let seq = after;
  let closed = false;
  let work = Promise.resolve();
  let reading = false;
  const yieldIfLong = createYielder();

  /** @returns whether there was no gap */
  const deliver = async (events: readonly LoggedEvent[]): Promise<boolean> => {
    for (const event of events) {
      if (closed || event.seq <= seq) continue;
      if (event.seq !== seq + 1) return false;
      await handler(event);
      seq = event.seq;
      await yieldIfLong();
    }
    return true;
  };

  const readMissing = async () => {
    while (!closed) {
      const events = await source.read(seq);
      const first = events[0];
      // Older events were pruned; continue with the first one left.
      if (first && first.seq > seq + 1) seq = first.seq - 1;
      await deliver(events);
      if (events.length < READ_BATCH) return;
    }
  };

  const enqueue = (task: () => Promise<unknown>) => {
    work = work.then(task).then(
      () => {},
      (error: unknown) =>
        source.log.warn({ reason: (error as Error).message }, 'Event follower failed; retrying'),
    );
  };

  let polledAt = Date.now();
  const stopListening = source.onBatch((events) => {
    // A batch's numbers show whether one before it was missed; poll only after a silence.
    polledAt = Date.now();
    enqueue(async () => {
      if (!(await deliver(events))) await readMissing();
    });
  });

  const poll = () => {
    if (reading) return;
    reading = true;
    enqueue(() =>
      readMissing().finally(() => {
        reading = false;
      }),
    );
  };
  poll();
  const pollTimer = setInterval(() => {
    const intervalMs = source.isLive() ? POLL_MS.live : POLL_MS.withoutRedis;
    if (Date.now() - polledAt < intervalMs) return;
    polledAt = Date.now();
    poll();
  }, POLL_MS.withoutRedis);

  return {
    get seq() {
      return seq;
    },
    close: async () => {
      closed = true;
      stopListening();
      clearInterval(pollTimer);
      await work;
    },
  };
}

/** The longest that one task may block the event loop, in milliseconds. */
const BLOCK_MAX_MS = 10;

/**
 * Returns a function to await between the steps of long work: it yields to the event loop once the
 * steps since the last yield took {@link BLOCK_MAX_MS}.
 */
export function createYielder(): () => Promise<void> | undefined {
  let blockedSince = performance.now();
  return () => {
    if (performance.now() - blockedSince < BLOCK_MAX_MS) return undefined;
    return nextTurn().then(() => {
      blockedSince = performance.now();
    });
  };
}

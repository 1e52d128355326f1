import type pg from 'pg';
import type { Log } from '../process/log.ts';
import type { Redis } from '../stores/redis.ts';
import type { LoggedEvent } from './event.ts';
import { type Following, followEvents } from './follow.ts';
import { createNumbering } from './number.ts';
import { createEventChannel } from './publish.ts';
import { createEventReader, READ_BATCH } from './read.ts';

export type { LoggedEvent, NewEvent } from './event.ts';
export type { Following } from './follow.ts';
export { record } from './record.ts';

export type EventLog = ReturnType<typeof createEventLog>;

/**
 * Creates the ordered event log. Events are written in the transaction of the change they describe,
 * numbered after its commit, and published through Redis; followers read missed events from the table.
 */
export function createEventLog(options: { pool: pg.Pool; redis: Redis; log: Log; prefix: string }) {
  const { pool, redis, log, prefix } = options;
  const listeners = new Set<(events: readonly LoggedEvent[]) => void>();
  const { read, readMissed, head, epoch, prune } = createEventReader(pool);
  /** Up to where every event was dispatched here, and the last number of all that were. */
  let completeUpTo: number | undefined;
  let newest = 0;

  function dispatch(events: readonly LoggedEvent[]): void {
    for (const listener of listeners) listener(events);
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return;
    newest = Math.max(newest, last.seq);
    if (completeUpTo !== undefined && first.seq <= completeUpTo + 1) {
      completeUpTo = Math.max(completeUpTo, last.seq);
    }
  }

  /** Dispatches what another process has numbered and Redis has not brought yet. */
  async function keepUp(hasNumbered: boolean): Promise<void> {
    if (completeUpTo === undefined || (hasNumbered && newest === completeUpTo)) return;
    for (;;) {
      const events = await read(completeUpTo);
      // Older ones were pruned.
      completeUpTo = Math.max(completeUpTo, (events[0]?.seq ?? 0) - 1);
      dispatch(events);
      if (events.length < READ_BATCH) return;
    }
  }

  const channel = createEventChannel({ redis, log, prefix, dispatch });
  const numbering = createNumbering({ pool, log, publish: channel.publish, keepUp });

  /**
   * Calls `listener` with each batch as soon as it arrives: in the process that numbered it, before
   * `sequence` resolves. Batches may arrive out of order, twice or never; {@link follow} is the reliable
   * way. Returns the unsubscribe function.
   */
  function onBatch(listener: (events: readonly LoggedEvent[]) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  const source = { read, onBatch, log, isLive: () => channel.isLive };

  return {
    sequence: numbering.sequence,
    /** Calls `handler` with every event after `after`: see {@link followEvents}. */
    follow: (after: number, handler: (event: LoggedEvent) => void | Promise<void>): Following =>
      followEvents(source, after, handler),
    onBatch,
    /**
     * From now on `sequence` also dispatches what other processes have numbered after `seq`, so that whoever writes here
     * reads their own write, whichever process has numbered its events.
     */
    keepUpFrom: (seq: number): void => {
      completeUpTo ??= seq;
      newest = Math.max(newest, seq);
    },
    read,
    readMissed,
    head,
    epoch,
    prune,
    /** Subscribes to the batches of other processes, now or once Redis is connected. */
    start: channel.start,
    close: async (): Promise<void> => {
      await numbering.close();
      channel.close();
    },
  };
}

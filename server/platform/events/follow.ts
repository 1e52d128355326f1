import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../process/log.ts';
import type { LoggedEvent } from './event.ts';

/** The default limit of {@link EventReader.read}. */
export const READ_BATCH = 1000;

interface Row {
  seq: string;
  id: string;
  name: string;
  data: unknown;
  rooms: string[];
  request_id: string | null;
  command_id: string | null;
  at: Date;
}

const toEvent = (row: Row) =>
  ({
    seq: Number(row.seq),
    id: row.id,
    name: row.name,
    data: row.data,
    rooms: row.rooms,
    requestId: row.request_id,
    commandId: row.command_id,
    at: row.at.toISOString(),
  }) as LoggedEvent;

export type EventReader = ReturnType<typeof createEventReader>;

/** Creates functions that read and prune the log's table. */
export function createEventReader(pool: pg.Pool) {
  /** Returns up to `limit` events after `after`, in order. */
  async function read(after: number, limit = READ_BATCH): Promise<LoggedEvent[]> {
    const { rows } = await pool.query<Row>({
      name: 'read_events',
      text: 'SELECT * FROM event_log WHERE seq > $1 ORDER BY seq LIMIT $2',
      values: [after, limit],
    });
    return rows.map(toEvent);
  }

  /**
   * Returns what a disconnected client missed: up to `limit` events after `after` and up to `upTo`, in
   * order, of one of `rooms` or of any product or farm's slots, since anybody may watch those. Returns undefined when
   * the log was pruned beyond `after`.
   */
  async function readMissed(
    after: number,
    upTo: number,
    rooms: readonly string[],
    limit: number,
  ): Promise<LoggedEvent[] | undefined> {
    const { rows } = await pool.query<Row>({
      name: 'read_missed_events',
      text: `(SELECT * FROM event_log WHERE seq = $1 + 1)
             UNION ALL
             (SELECT * FROM event_log
              WHERE seq > $1 AND seq <= $2
                AND (rooms && $3 OR EXISTS (
                  SELECT 1 FROM unnest(rooms) AS room
                  WHERE starts_with(room, 'product:') OR starts_with(room, 'watched-farm:')))
              ORDER BY seq LIMIT $4)
             ORDER BY seq`,
      values: [after, upTo, rooms, limit],
    });
    // The first row only proves that nothing after `after` was pruned.
    return Number(rows[0]?.seq) === after + 1 ? rows.slice(1).map(toEvent) : undefined;
  }

  /** Returns the last number given. */
  async function head(): Promise<number> {
    const { rows } = await pool.query<{ seq: string }>('SELECT seq FROM event_log_head');
    return Number(rows[0]?.seq ?? 0);
  }

  /** Returns the id of this history of events; a restore from a backup gives it another one. */
  async function epoch(): Promise<string> {
    const { rows } = await pool.query<{ epoch: string }>('SELECT epoch FROM event_epoch');
    const [row] = rows;
    if (!row) throw new Error('The table event_epoch has no row.');
    return row.epoch;
  }

  /** Deletes all events before the first one younger than `days`. @returns how many */
  async function prune(days: number): Promise<number> {
    // Delete only from the start: `readMissed` cannot detect a gap further on.
    const { rowCount } = await pool.query(
      `DELETE FROM event_log WHERE seq < coalesce(
         (SELECT seq FROM event_log WHERE at >= now() - make_interval(days => $1) ORDER BY seq LIMIT 1),
         (SELECT seq + 1 FROM event_log_head))`,
      [days],
    );
    return rowCount ?? 0;
  }

  return { read, readMissed, head, epoch, prune };
}

/** A running follower. `close` stops it after the current event. */
export interface Following {
  readonly seq: number;
  close(): Promise<void>;
}

/**
 * How long after the last batch the table is polled, with Redis and without it. A Redis that hangs counts as live until
 * a command misses its deadline, and within a second the person who was put out must be out in every process.
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

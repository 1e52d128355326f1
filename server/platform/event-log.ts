import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { EventData, LoggedEventName } from '#contract/realtime';
import type { Database, Transaction } from '../../prisma/client.ts';
import type { Log } from './log.ts';
import type { Redis } from './redis.ts';
import { currentRequestId } from './request-context.ts';

/** Told to the servers alone, never to a client. */
interface InternalEvents {
  /** Something about a user's right to be signed in, or how they are called, changed. */
  'session.changed': { _id: string };
  /** Somebody asked for a reset link for this account; the id may be nobody's. */
  'password.resetRequested': { _id: string };
}

type LogData<Name extends LogName> = Name extends keyof InternalEvents
  ? InternalEvents[Name]
  : Name extends LoggedEventName
    ? EventData<Name>
    : never;
type LogName = LoggedEventName | keyof InternalEvents;

/** An event as its maker gives it: what happened, in wire form, and the rooms that may see it. */
export type NewEvent = {
  [Name in LogName]: { name: Name; data: LogData<Name>; rooms: readonly string[] };
}[LogName];

/** An event with its place in the log. */
export type LoggedEvent = NewEvent & {
  seq: number;
  id: string;
  /** ISO instant. */
  at: string;
  requestId: string | null;
};

/** How a follower goes on: `close` stops it after the event in hand. */
export interface Following {
  readonly seq: number;
  close(): Promise<void>;
}

export type EventLog = ReturnType<typeof createEventLog>;

const READ_BATCH = 1000;
/** How long callers gather for a round after another: each costs nearly the same, whatever it numbers. */
const GATHER_MS = 4;
/** After how long a silence the table is asked, beside a living Redis and without one. */
const POLL_MS = { live: 1000, withoutRedis: 200 };

interface Row {
  seq: string;
  id: string;
  name: string;
  data: unknown;
  rooms: string[];
  request_id: string | null;
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
    at: row.at.toISOString(),
  }) as LoggedEvent;

/**
 * The one ordered log of what happened. Events are written beside the rows they tell of, numbered
 * after the commit, and heard through Redis; whatever is not heard is read from the table.
 */
export function createEventLog(options: { pool: pg.Pool; redis: Redis; log: Log; prefix: string }) {
  const { pool, redis, log } = options;
  const channel = `${options.prefix}:events`;
  /** Begins each batch that this process publishes, which has heard of it already. */
  const own = `${randomUUID()} `;
  const subscriber = redis.duplicate();
  subscriber.on('error', () => {});
  const hearers = new Set<(events: LoggedEvent[]) => void>();
  const hear = (events: LoggedEvent[]) => {
    for (const hearer of hearers) hearer(events);
  };

  /** The round under way, and the one that everybody waits for who asked since it began. */
  let round: Promise<void> | undefined;
  let nextRound: Promise<void> | undefined;

  async function numberAll(): Promise<void> {
    try {
      const { rows } = await pool.query<{ batch: string | null }>({
        name: 'sequence_events',
        text: 'SELECT sequence_events() AS batch',
      });
      const batch = rows[0]?.batch;
      if (!batch) return;
      hear(JSON.parse(batch) as LoggedEvent[]);
      // Redis only makes it fast: a batch that is not published is read from the table.
      if (redis.isReady) redis.publish(channel, own + batch).catch(() => {});
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'Numbering failed');
    }
  }

  function startRound(): Promise<void> {
    round = numberAll().finally(() => {
      round = undefined;
    });
    return round;
  }

  /**
   * Numbers and publishes every event that was committed before this call and has no number yet;
   * when it resolves, this process has heard of them. Calls made while a round is under way share
   * the next one, a little later. Never rejects: what fails now, the timer makes good.
   */
  function sequence(): Promise<void> {
    if (!round) return startRound();
    nextRound ??= round.then(async () => {
      await sleep(GATHER_MS);
      nextRound = undefined;
      return round ?? startRound();
    });
    return nextRound;
  }

  const timer = setInterval(() => void sequence(), POLL_MS.live);
  timer.unref();

  /** Up to `limit` events after `after`, in order. */
  async function read(after: number, limit = READ_BATCH): Promise<LoggedEvent[]> {
    const { rows } = await pool.query<Row>({
      name: 'read_events',
      text: 'SELECT * FROM event_log WHERE seq > $1 ORDER BY seq LIMIT $2',
      values: [after, limit],
    });
    return rows.map(toEvent);
  }

  /**
   * What one who was away missed: up to `limit` events after `after` and not after `upTo`, in order,
   * that one of `rooms` may see, and every change of a product, which is public and which nobody can
   * tell whether they still show. Nothing when the log no longer reaches back that far.
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
              WHERE seq > $1 AND seq <= $2 AND (rooms && $3 OR name = 'product.updated')
              ORDER BY seq LIMIT $4)
             ORDER BY seq`,
      values: [after, upTo, rooms, limit],
    });
    // The first row only shows that the log begins no later than where the gap does.
    return Number(rows[0]?.seq) === after + 1 ? rows.slice(1).map(toEvent) : undefined;
  }

  /** The last number given. */
  async function head(): Promise<number> {
    const { rows } = await pool.query<{ seq: string }>('SELECT seq FROM event_log_head');
    return Number(rows[0]?.seq ?? 0);
  }

  /**
   * Hands every event after `after` to `handler`, each once, in order, without a gap, for as long
   * as it is not closed. A handler that throws is asked again with the same event.
   */
  function follow(after: number, handler: (event: LoggedEvent) => void | Promise<void>): Following {
    let seq = after;
    let closed = false;
    let work = Promise.resolve();
    let reading = false;

    const hand = async (events: LoggedEvent[]) => {
      for (const event of events) {
        if (closed || event.seq <= seq) continue;
        if (event.seq !== seq + 1) return false;
        await handler(event);
        seq = event.seq;
      }
      return true;
    };

    const readMissing = async () => {
      while (!closed) {
        const events = await read(seq);
        const first = events[0];
        // What is older than the log's memory is gone; go on with what is left.
        if (first && first.seq > seq + 1) seq = first.seq - 1;
        await hand(events);
        if (events.length < READ_BATCH) return;
      }
    };

    const enqueue = (task: () => Promise<unknown>) => {
      work = work.then(task).then(
        () => {},
        (error: unknown) => log.warn({ reason: (error as Error).message }, 'A follower stumbled'),
      );
    };

    let polledAt = Date.now();
    const hearer = (events: LoggedEvent[]) => {
      // A batch shows by its numbers whether one before it was missed; only silence needs a look.
      polledAt = Date.now();
      enqueue(async () => {
        if (!(await hand(events))) await readMissing();
      });
    };
    hearers.add(hearer);

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
      const pause = subscriber.isReady ? POLL_MS.live : POLL_MS.withoutRedis;
      if (Date.now() - polledAt < pause) return;
      polledAt = Date.now();
      poll();
    }, POLL_MS.withoutRedis);

    return {
      get seq() {
        return seq;
      },
      close: async () => {
        closed = true;
        hearers.delete(hearer);
        clearInterval(pollTimer);
        await work;
      },
    };
  }

  /**
   * Calls `listener` with each batch in the very moment it is heard: before `sequence` resolves in the
   * process that numbered it. It may come out of order, twice or never, so this only ever makes
   * something quicker that {@link follow} makes certain. Returns how to stop.
   */
  function overhear(listener: (events: readonly LoggedEvent[]) => void): () => void {
    hearers.add(listener);
    return () => hearers.delete(listener);
  }

  /** Starts hearing what other processes publish. @throws when Redis is away at the start */
  async function start(): Promise<void> {
    await subscriber.connect();
    await subscriber.subscribe(channel, (message) => {
      if (message.startsWith(own)) return;
      try {
        hear(JSON.parse(message.slice(own.length)) as LoggedEvent[]);
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'An unreadable batch of events');
      }
    });
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    await (nextRound ?? round);
    if (subscriber.isOpen) subscriber.destroy();
  }

  /** Forgets the log's beginning up to the first event younger than `days`. @returns how many */
  async function prune(days: number): Promise<number> {
    // Always a whole beginning: a hole further on would look like a log that was never pruned.
    const { rowCount } = await pool.query(
      `DELETE FROM event_log WHERE seq < coalesce(
         (SELECT seq FROM event_log WHERE at >= now() - make_interval(days => $1) ORDER BY seq LIMIT 1),
         (SELECT seq + 1 FROM event_log_head))`,
      [days],
    );
    return rowCount ?? 0;
  }

  return { sequence, follow, overhear, read, readMissed, head, prune, start, close };
}

/**
 * Writes events inside the caller's transaction, in the given order, still without a number. Call
 * `sequence` after the commit; without it they arrive a moment later by the timer.
 */
export async function record(tx: Transaction | Database, ...events: NewEvent[]): Promise<void> {
  const requestId = currentRequestId() ?? null;
  for (const event of events) {
    await tx.eventOutbox.create({
      data: {
        id: randomUUID(),
        name: event.name,
        data: event.data,
        rooms: [...event.rooms],
        requestId,
      },
      select: { ordinal: true },
    });
  }
}

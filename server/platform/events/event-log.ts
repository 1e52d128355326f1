import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Log } from '../process/log.ts';
import { currentCommandId, currentRequestId } from '../process/request-context.ts';
import { type Redis, type Subscription, subscribe } from '../stores/redis.ts';
import type { LoggedEvent, NewEvent } from './event.ts';
import { createEventReader, type Following, followEvents, READ_BATCH } from './follow.ts';

export type { LoggedEvent, NewEvent } from './event.ts';
export type { Following } from './follow.ts';

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
     * From now on `sequence` also dispatches what other processes have numbered after `seq`, so that anyone who writes
     * here reads their own write, whichever process has numbered its events.
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

// clock_timestamp, since the transaction may have waited for locks.
const RECORD = `INSERT INTO event_outbox (id, name, data, rooms, request_id, command_id, at)
  SELECT id, name, data::json, rooms, "requestId", "commandId", clock_timestamp()
  FROM ROWS FROM (json_to_recordset($1::json) AS (
    id uuid, name text, data text, rooms text[], "requestId" text, "commandId" uuid
  )) WITH ORDINALITY AS event (id, name, data, rooms, "requestId", "commandId", place)
  ORDER BY place`;

/**
 * Writes events inside the caller's transaction, in the given order, in one statement, without numbers
 * yet. Call `sequence` after the commit; otherwise the timer numbers them up to a second later.
 */
export async function record(tx: Transaction | Database, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const requestId = currentRequestId() ?? null;
  const commandId = currentCommandId() ?? null;
  const rows = events.map(({ name, data, rooms }) => ({
    id: randomUUID(),
    name,
    // As text, which the log keeps byte by byte.
    data: JSON.stringify(data),
    rooms,
    requestId,
    commandId,
  }));
  await tx.$executeRawUnsafe(RECORD, JSON.stringify(rows));
}

/** Publishes numbered batches over Redis and calls `dispatch` with those of all processes. */
function createEventChannel(options: {
  redis: Redis;
  log: Log;
  prefix: string;
  dispatch: (events: LoggedEvent[]) => void;
}) {
  const { redis, log, dispatch } = options;
  const channel = `${options.prefix}:events`;
  /** Marks this process's own batches, which it has dispatched already. */
  const ownPrefix = `${randomUUID()} `;
  let subscription: Subscription | undefined;

  return {
    /** Whether batches of other processes currently arrive. */
    get isLive(): boolean {
      return subscription?.isReady() ?? false;
    },
    /** Dispatches a batch in this process and publishes it to the others. */
    publish(batch: string): void {
      dispatch(JSON.parse(batch) as LoggedEvent[]);
      // Followers read a batch that was not published from the table.
      redis.withDeadline(() => redis.publish(channel, ownPrefix + batch)).catch(() => {});
    },
    /** Subscribes to the batches of other processes, now or once Redis is connected. */
    async start(): Promise<void> {
      subscription = await subscribe(redis, channel, (message) => {
        if (message.startsWith(ownPrefix)) return;
        try {
          dispatch(JSON.parse(message.slice(ownPrefix.length)) as LoggedEvent[]);
        } catch (error) {
          log.warn(
            { reason: (error as Error).message },
            'Invalid event batch; reading the table instead',
          );
        }
      });
    },
    close(): void {
      subscription?.close();
    },
  };
}

/** Delay before the next round, so that callers share it: a round costs nearly the same for any count. */
const GATHER_MS = 4;
/** How often events are numbered without a call of `sequence`. */
const SWEEP_MS = 1000;
/** The shortest time between two warnings. */
const WARN_INTERVAL_MS = 60_000;

/** Numbers committed events and passes each numbered batch, as JSON, to `publish`. */
function createNumbering(options: {
  pool: pg.Pool;
  log: Log;
  publish: (batch: string) => void;
  /** Called after each round: brings what other processes have numbered. */
  keepUp: (hasNumbered: boolean) => Promise<void>;
}) {
  const { pool, log, publish, keepUp } = options;
  /** The running round, and the next one, which all later callers share. */
  let round: Promise<void> | undefined;
  let nextRound: Promise<void> | undefined;

  /** No failure is logged before this time. */
  let quietUntil = 0;

  async function numberAll(): Promise<void> {
    try {
      const { rows } = await pool.query<{ batch: string | null }>({
        name: 'sequence_events',
        text: 'SELECT sequence_events() AS batch',
      });
      const batch = rows[0]?.batch;
      if (batch) publish(batch);
      await keepUp(Boolean(batch));
    } catch (error) {
      if (Date.now() < quietUntil) return;
      quietUntil = Date.now() + WARN_INTERVAL_MS;
      log.warn({ reason: (error as Error).message }, 'Events could not be numbered; retrying');
    }
  }

  function startRound(): Promise<void> {
    round = numberAll().finally(() => {
      round = undefined;
    });
    return round;
  }

  /**
   * Numbers and publishes every event that was committed before this call; when it resolves, this
   * process has dispatched them, also those that another process numbered first if it keeps up with them.
   * Calls during a round share the next one. Never rejects: failures are retried by the interval timer.
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

  const timer = setInterval(() => void sequence(), SWEEP_MS);
  timer.unref();

  return {
    sequence,
    close: async (): Promise<void> => {
      clearInterval(timer);
      await (nextRound ?? round);
    },
  };
}

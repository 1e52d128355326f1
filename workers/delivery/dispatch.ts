import { setTimeout as sleep } from 'node:timers/promises';
import { clockMs } from '#contract/platform/time/constants';
import type { LoggedEvent } from '../../server/platform/events/event-log.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { eventLag } from '../../server/platform/metrics/metrics.ts';
import {
  isDatabaseAway,
  isWriteConflict,
  retryWhileAway,
} from '../../server/platform/stores/postgres.ts';
import type { Planned, Schedule } from './schedule.ts';
import type { Timers } from './timers.ts';

/** The cursor's name, shared by all worker processes. */
const FOLLOWER = 'notifications';
/** Most events handled in one batch. */
const EVENTS_PER_BATCH = 100;
/** How long events are collected into a batch, which costs little more than one event. */
const GATHER_MS = 50;
/** Attempts to handle an event before it is skipped. */
const ATTEMPTS_MAX = 5;
const RETRY_MS = 200;
/** How often the cursor passes events without effects, so that nobody takes the follower for late. */
const CURSOR_INTERVAL_MS = 5000;

/** The outcome of a batch. */
export interface Handled {
  /** The follower's cursor before this batch. */
  passed: number;
  /** Deliveries that need a job after the commit. */
  planned: Planned[];
  /** When the first of the timers is due that were set; null for none. */
  timersDueAt: Date | null;
}

/** Handles events; implemented in `workers/notifications`. */
export interface EventHandler {
  /** Returns whether events of this name have effects. */
  isOfInterest(name: LoggedEvent['name']): boolean;
  /**
   * Handles the events after the follower's cursor up to number `last` and moves the cursor there, in
   * one transaction.
   */
  handleEvents(follower: string, last: number, events: readonly LoggedEvent[]): Promise<Handled>;
}

/**
 * Follows the event log and applies the effects of each event. Notifications and deliveries are
 * written in the statement that moves the cursor, so each event is handled once, however many
 * processes follow. Jobs are added after the commit; the sweep adds those lost by a crash or while
 * Redis was away.
 */
export async function startDispatch(
  platform: ProcessPlatform,
  schedule: Schedule,
  { isOfInterest, handleEvents }: EventHandler,
  timers: Pick<Timers, 'checkAt'>,
) {
  const { db, database, eventLog, log } = platform;
  const { seq } = await retryWhileAway(async () => {
    await db.follower.createMany({ data: { name: FOLLOWER, seq: 0 }, skipDuplicates: true });
    return db.follower.findUniqueOrThrow({ where: { name: FOLLOWER } });
  });
  const waiting: LoggedEvent[] = [];
  let work: Promise<void> | undefined;
  let isClosing = false;

  /** Handles the events that no process has handled yet, all or none. */
  async function handle(events: readonly LoggedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    const { passed, planned, timersDueAt } = await handleEvents(FOLLOWER, last.seq, events);
    if (timersDueAt) timers.checkAt(timersDueAt);
    const ours = events.filter(({ seq }) => seq > passed);
    if (ours.length === 0) return;
    for (const { at } of ours) {
      eventLag.observe({ follower: FOLLOWER }, Math.max(0, clockMs() - Date.parse(at)) / 1000);
    }
    void eventLog.sequence();
    await schedule.addDelayed(planned).catch((error: Error) => {
      log.debug(
        { reason: error.message, count: planned.length },
        'Jobs could not be added; the sweep will add them',
      );
    });
  }

  /**
   * Retries without limit while the database is away, whatever the error says; skips an event after
   * {@link ATTEMPTS_MAX} failures.
   */
  async function handleWithRetries(events: readonly LoggedEvent[]): Promise<void> {
    for (let attempt = 1; !isClosing; attempt++) {
      try {
        return await handle(events);
      } catch (error) {
        const [first] = events;
        if (isDatabaseAway(error) || isWriteConflict(error)) {
          attempt = 0;
        } else if (events.length > 1) {
          for (const event of events) await handleWithRetries([event]);
          return;
        } else {
          const details = { seq: first?.seq, event: first?.name, reason: (error as Error).message };
          // An event may be skipped for what it is, never for the state of the database.
          if (attempt >= ATTEMPTS_MAX && (await database.state()) === 'ready') {
            log.error(details, 'Event could not be handled; skipped');
            return;
          }
          log.warn(details, 'Event could not be handled; will retry');
        }
        await sleep(RETRY_MS * Math.min(ATTEMPTS_MAX, Math.max(1, attempt)));
      }
    }
  }

  async function handleWaiting(): Promise<void> {
    while (waiting.length > 0 && !isClosing) {
      if (waiting.length < EVENTS_PER_BATCH) await sleep(GATHER_MS);
      const batch = waiting.slice(0, EVENTS_PER_BATCH);
      await handleWithRetries(batch);
      waiting.splice(0, batch.length);
    }
    work = undefined;
  }

  const following = eventLog.follow(Number(seq), async (event) => {
    if (!isOfInterest(event.name)) return;
    waiting.push(event);
    work ??= handleWaiting();
    // Backpressure: read no faster than events are handled.
    if (waiting.length >= EVENTS_PER_BATCH) await work;
  });

  let cursorSeq = Number(seq);
  /** Moves the cursor past events without effects, once all others before them are handled. */
  async function advanceCursor(): Promise<void> {
    const { seq: reached } = following;
    if (work || waiting.length > 0 || reached <= cursorSeq) return;
    await db.follower.updateMany({
      where: { name: FOLLOWER, seq: { lt: reached } },
      data: { seq: reached },
    });
    cursorSeq = reached;
  }
  const cursorInterval = setInterval(() => {
    advanceCursor().catch((error: Error) =>
      log.debug({ reason: error.message }, 'The cursor could not be moved; will retry'),
    );
  }, CURSOR_INTERVAL_MS);

  return {
    close: async () => {
      isClosing = true;
      clearInterval(cursorInterval);
      await following.close();
      await work;
    },
  };
}

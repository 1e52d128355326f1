import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedEvent } from '../server/platform/event-log.ts';
import { eventLag } from '../server/platform/metrics.ts';
import type { Platform } from '../server/platform/platform.ts';
import { isDatabaseAway, isWriteConflict } from '../server/platform/postgres.ts';
import { handleEvents } from './ledger.ts';
import { isOfInterest, react } from './notifications/definitions.ts';
import type { Schedule } from './schedule.ts';

/** The cursor's row; all worker processes move the same one. */
const FOLLOWER = 'notifications';
/** How many events share a statement when they come faster than they are handled. */
const BATCH = 100;
/** How long they gather: on a busy day a statement for several takes little more than for one. */
const GATHER_MS = 50;
/** How often an event that cannot be handled is tried before the next one gets its turn. */
const TRIES = 5;
const RETRY_MS = 200;

/**
 * Follows the event log and does what each event calls for: moving the cursor, ringing the bell and
 * writing the ledger are one statement. Several processes may follow at once: they take the cursor
 * in turns, and whoever moves it past an event is the one who handled it. Jobs are added after the
 * commit; those that a crash or an absent Redis swallows are added by the sweep.
 */
export async function startDispatch(platform: Platform, schedule: Schedule) {
  const { db, eventLog, log } = platform;
  await db.follower.createMany({ data: { name: FOLLOWER, seq: 0 }, skipDuplicates: true });
  const { seq } = await db.follower.findUniqueOrThrow({ where: { name: FOLLOWER } });
  const waiting: LoggedEvent[] = [];
  let work: Promise<void> | undefined;
  let isClosing = false;

  /** Handles those of the events that nobody has handled yet: all of them, or none. */
  async function handle(events: readonly LoggedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    const { passed, planned } = await handleEvents(
      platform,
      FOLLOWER,
      last.seq,
      events.flatMap((event) =>
        react(event).map((effect) => ({
          ...effect,
          seq: event.seq,
          requestId: event.requestId,
        })),
      ),
    );
    const ours = events.filter(({ seq }) => seq > passed);
    if (ours.length === 0) return;
    for (const { at } of ours) {
      eventLag.observe({ follower: FOLLOWER }, Math.max(0, Date.now() - Date.parse(at)) / 1000);
    }
    void eventLog.sequence();
    await schedule.soon(planned).catch((error: Error) => {
      log.debug({ reason: error.message, count: planned.length }, 'Jobs are left to the sweep');
    });
  }

  /** Handles events, again and again while the reason passes by itself; one that never can is left. */
  async function handleSurely(events: readonly LoggedEvent[]): Promise<void> {
    for (let attempt = 1; !isClosing; attempt++) {
      try {
        return await handle(events);
      } catch (error) {
        const [first] = events;
        if (isDatabaseAway(error) || isWriteConflict(error)) {
          attempt = 0;
        } else if (events.length > 1) {
          for (const event of events) await handleSurely([event]);
          return;
        } else {
          const told = { seq: first?.seq, event: first?.name, reason: (error as Error).message };
          if (attempt === TRIES) {
            log.error(told, 'An event was passed over');
            return;
          }
          log.warn(told, 'An event could not be handled yet');
        }
        await sleep(RETRY_MS * Math.max(1, attempt));
      }
    }
  }

  async function handleWaiting(): Promise<void> {
    while (waiting.length > 0 && !isClosing) {
      if (waiting.length < BATCH) await sleep(GATHER_MS);
      const batch = waiting.slice(0, BATCH);
      await handleSurely(batch);
      waiting.splice(0, batch.length);
    }
    work = undefined;
  }

  const following = eventLog.follow(Number(seq), async (event) => {
    if (!isOfInterest(event.name)) return;
    waiting.push(event);
    work ??= handleWaiting();
    // Whoever is far behind reads on only as fast as it is handled.
    if (waiting.length >= BATCH) await work;
  });

  return {
    close: async () => {
      isClosing = true;
      await following.close();
      await work;
    },
  };
}

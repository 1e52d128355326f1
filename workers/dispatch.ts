import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedEvent } from '../server/platform/event-log.ts';
import { eventLag } from '../server/platform/metrics.ts';
import type { Platform } from '../server/platform/platform.ts';
import { isDatabaseAway, isWriteConflict, transact } from '../server/platform/postgres.ts';
import { type Planned, waysIn } from './ledger.ts';
import { isOfInterest, react } from './notifications/definitions.ts';
import type { Schedule } from './schedule.ts';

/** The cursor's row; all worker processes move the same one. */
const FOLLOWER = 'notifications';
/** How often an event that cannot be handled is tried before the next one gets its turn. */
const TRIES = 5;
const RETRY_MS = 200;

/**
 * Follows the event log and does what each event calls for: moving the cursor, ringing the bell and
 * writing the ledger are one transaction. Several processes may follow at once: whoever moves the
 * cursor past an event is the one who handled it. Jobs are added after the commit; those that a
 * crash or an absent Redis swallows are added by the sweep.
 */
export async function startDispatch(platform: Platform, schedule: Schedule) {
  const { db, eventLog, log } = platform;
  await db.follower.createMany({ data: { name: FOLLOWER, seq: 0 }, skipDuplicates: true });
  const { seq } = await db.follower.findUniqueOrThrow({ where: { name: FOLLOWER } });

  async function handle(event: LoggedEvent): Promise<void> {
    const planned: Planned[] = [];
    const isOurs = await transact(db, async (tx) => {
      planned.length = 0;
      const { count } = await tx.follower.updateMany({
        where: { name: FOLLOWER, seq: { lt: event.seq } },
        data: { seq: event.seq },
      });
      if (count === 0) return false;
      await react(event, waysIn(tx, planned));
      return true;
    });
    if (!isOurs) return;
    eventLag.observe({ follower: FOLLOWER }, Math.max(0, Date.now() - Date.parse(event.at)) / 1000);
    void eventLog.sequence();
    await schedule.soon(planned).catch((error: Error) => {
      log.debug({ reason: error.message, count: planned.length }, 'Jobs are left to the sweep');
    });
  }

  const following = eventLog.follow(Number(seq), async (event) => {
    if (!isOfInterest(event.name)) return;
    for (let attempt = 1; ; attempt++) {
      try {
        return await handle(event);
      } catch (error) {
        // Thrown on, the log hands the same event again; that is right for what passes by itself.
        if (isDatabaseAway(error) || isWriteConflict(error)) throw error;
        const told = { seq: event.seq, event: event.name, reason: (error as Error).message };
        if (attempt === TRIES) {
          log.error(told, 'An event was passed over');
          return;
        }
        log.warn(told, 'An event could not be handled yet');
        await sleep(RETRY_MS * attempt);
      }
    }
  });

  return { close: () => following.close() };
}

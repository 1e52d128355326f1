import type { Platform } from '../server/platform/platform.ts';
import { isDatabaseAway } from '../server/platform/postgres.ts';
import type { Queues } from '../server/platform/queues.ts';
import { type Planned, plannedSelect } from './ledger.ts';
import type { Schedule } from './schedule.ts';

const SWEEP_MS = 5000;
/** How long after its time a row without an end is taken for one whose job was lost, in seconds. */
const GRACE_SECONDS = 5;
const BATCH = 500;

/**
 * Adds the jobs again that Redis lost or never got. A job that is still there is not added twice.
 */
export function startSweep(platform: Platform, queues: Queues, schedule: Schedule) {
  const { db, log } = platform;
  let sweeping: Promise<void> | undefined;
  let isClosed = false;

  async function sweepAll(graceSeconds: number): Promise<void> {
    const dueAt = { lt: new Date(Date.now() - graceSeconds * 1000) };
    let last: { id: string } | undefined;
    for (;;) {
      const rows: Planned[] = await db.notificationDelivery.findMany({
        where: { status: { in: ['pending', 'sending'] }, dueAt },
        orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
        take: BATCH,
        ...(last ? { cursor: { id: last.id }, skip: 1 } : {}),
        select: plannedSelect,
      });
      await schedule.now(rows);
      last = rows.at(-1);
      if (!last || rows.length < BATCH || isClosed) return;
    }
  }

  const sweep = (graceSeconds = GRACE_SECONDS) => {
    if (isClosed || !queues.isReady()) return;
    sweeping ??= sweepAll(graceSeconds)
      .catch((error: Error) => {
        const level = isDatabaseAway(error) || !queues.isReady() ? 'debug' : 'warn';
        log[level]({ reason: error.message }, 'A sweep failed');
      })
      .finally(() => {
        sweeping = undefined;
      });
  };

  const timer = setInterval(sweep, SWEEP_MS);
  // What was planned while Redis was away has no job for certain.
  const stopHearing = queues.onReady(() => sweep(0));
  sweep();

  async function close(): Promise<void> {
    isClosed = true;
    clearInterval(timer);
    stopHearing();
    await sweeping;
  }

  return { close };
}

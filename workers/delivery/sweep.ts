import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { isDatabaseAway } from '../../server/platform/stores/postgres.ts';
import type { Queues } from '../../server/platform/stores/queues.ts';
import { readClock } from '../../server/platform/time/clock.ts';
import { type Planned, plannedSelect } from './ledger.ts';
import type { Schedule } from './schedule.ts';

const SWEEP_MS = 5000;
/** How long after its due time the job of an unfinished delivery counts as lost. */
const GRACE_SECONDS = 5;
const DELIVERIES_PER_BATCH = 500;

/**
 * Adds jobs that Redis lost or never received. An existing job is not added twice.
 */
export function startSweep(platform: ProcessPlatform, queues: Queues, schedule: Schedule) {
  const { db, log } = platform;
  let sweeping: Promise<void> | undefined;
  let isClosed = false;

  async function sweepAll(graceSeconds: number): Promise<void> {
    const now = await readClock(db);
    const dueAt = { lt: new Date(now.getTime() - graceSeconds * 1000) };
    let last: { id: string } | undefined;
    for (;;) {
      const rows: Planned[] = await db.notificationDelivery.findMany({
        where: {
          status: { in: ['pending', 'sending'] },
          restoredAt: null,
          dueAt,
          channel: { not: 'in_app' },
        },
        orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
        take: DELIVERIES_PER_BATCH,
        ...(last ? { cursor: { id: last.id }, skip: 1 } : {}),
        select: plannedSelect,
      });
      await schedule.addNow(rows);
      last = rows.at(-1);
      if (!last || rows.length < DELIVERIES_PER_BATCH || isClosed) return;
    }
  }

  const sweep = (graceSeconds = GRACE_SECONDS) => {
    if (isClosed || !queues.isReady()) return;
    sweeping ??= sweepAll(graceSeconds)
      .catch((error: Error) => {
        const level = isDatabaseAway(error) || !queues.isReady() ? 'debug' : 'warn';
        log[level]({ reason: error.message }, 'Sweep failed; will retry');
      })
      .finally(() => {
        sweeping = undefined;
      });
  };

  const timer = setInterval(sweep, SWEEP_MS);
  // Deliveries planned while Redis was away have no job.
  const stopListening = queues.onReady(() => sweep(0));
  sweep();

  async function close(): Promise<void> {
    isClosed = true;
    clearInterval(timer);
    stopListening();
    await sweeping;
  }

  return { close };
}

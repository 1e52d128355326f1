import type { Platform } from '../server/platform/platform.ts';
import { isDatabaseAway } from '../server/platform/postgres.ts';
import type { Queues } from '../server/platform/queues.ts';
import { type Planned, plannedSelect } from './ledger.ts';
import { longestDelay, type Schedule } from './schedule.ts';

const SWEEP_MS = 5000;
/** How long after its time a row without an end is taken for one whose job was lost, in seconds. */
const GRACE_SECONDS = 5;
const BATCH = 500;
/** Rows of this kind lie there for so long that they are not even read before their time. */
const LONG_WAITING = { channel: 'in_app', kind: 'order.unanswered' } as const;

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

/**
 * Adds the jobs again that Redis lost or never got. A job that is still there is not added twice.
 */
export function startSweep(platform: Platform, queues: Queues, schedule: Schedule) {
  const { db, env, log } = platform;
  let sweeping: Promise<void> | undefined;
  let isClosed = false;

  async function sweepAll(graceSeconds: number): Promise<void> {
    let last: { createdAt: Date; id: string } | undefined;
    for (;;) {
      const rows: (Planned & { createdAt: Date })[] = await db.notificationDelivery.findMany({
        where: {
          status: { in: ['pending', 'sending'] },
          OR: [
            { NOT: LONG_WAITING, createdAt: { lt: ago(graceSeconds) } },
            {
              ...LONG_WAITING,
              createdAt: { lt: ago(env.UNANSWERED_AFTER_SECONDS + graceSeconds) },
            },
          ],
        },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: BATCH,
        ...(last ? { cursor: { id: last.id }, skip: 1 } : {}),
        select: { ...plannedSelect, createdAt: true },
      });
      await schedule.now(rows.filter((row) => isOverdue(row, graceSeconds)));
      last = rows.at(-1);
      if (!last || rows.length < BATCH || isClosed) return;
    }
  }

  const isOverdue = (row: Planned & { createdAt: Date }, graceSeconds: number) =>
    Date.now() - row.createdAt.getTime() > (longestDelay(env, row) + graceSeconds) * 1000;

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

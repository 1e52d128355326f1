import { clockMs } from '#contract/platform/time/constants';
import type { Transaction } from '../../prisma/client.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { withRequestId } from '../../server/platform/process/request-context.ts';
import { isDatabaseAway, retryConflicts } from '../../server/platform/stores/postgres.ts';
import { OUTDATED } from '../../server/platform/stores/timers.ts';
import type { Planned, Schedule } from './schedule.ts';

/** The longest time until the table is read again, in milliseconds. */
const POLL_INTERVAL_MS = 5000;
/** The delay before a timer that another process runs is read again, in milliseconds. */
const BUSY_RETRY_MS = 250;
/** Timers that one process runs at once, unless it is told otherwise. */
const CONCURRENCY = 4;
/** The longest delay of a timer that fails again and again, in milliseconds. */
const BACKOFF_MAX_MS = 60 * 60 * 1000;
const REASON_MAX_LENGTH = 300;

/** What happens when the timers of one kind are due. */
export interface TimerDefinition {
  /**
   * Does what is due, as the present state has it, all within the transaction that has taken the timer. It
   * may come late, but it comes once: never act on the time that was missed.
   * @returns the deliveries that need a job after the commit, or that it came too late to do anything
   */
  run: (key: string, tx: Transaction) => Promise<readonly Planned[] | typeof OUTDATED>;
}

/** The definitions by kind; a kind that only a newer process knows is left to that. */
type TimerDefinitions = Readonly<Record<string, TimerDefinition>>;

interface ClaimedTimer {
  key: string;
  kind: string;
  attempts: number;
  requestId: string | null;
}

export type Timers = ReturnType<typeof startTimers>;

/**
 * Runs the timers that are due. Taking a timer and all that follows from it are one transaction, so it
 * happens once, however many processes look, and again if the process is killed half-way. It needs the
 * table alone: each process looks when the next timer is due, and every {@link POLL_INTERVAL_MS} at the latest,
 * since another process may have set one.
 */
export function startTimers(
  platform: ProcessPlatform,
  schedule: Pick<Schedule, 'addDelayed'>,
  definitions: TimerDefinitions,
  concurrency = CONCURRENCY,
) {
  const { db, env, eventLog, log } = platform;
  const kinds = Object.keys(definitions);
  let checking: Promise<void> | undefined;
  let isClosed = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  /** When the alarm goes off, by this process's clock. */
  let wakesAt = Number.POSITIVE_INFINITY;

  /** Takes the timer that has been due for longest, unless another process has it; marks it done. */
  async function claim(tx: Transaction): Promise<ClaimedTimer | undefined> {
    const [claimed] = await tx.$queryRaw<ClaimedTimer[]>`
      UPDATE timers SET done_at = now(), error = NULL
      WHERE key = (
        SELECT key FROM timers
        WHERE done_at IS NULL AND restored_at IS NULL AND due_at <= now() AND kind = ANY (${kinds}::text[])
        ORDER BY due_at LIMIT 1
        FOR UPDATE SKIP LOCKED)
      RETURNING key, kind, attempts, request_id AS "requestId"`;
    return claimed;
  }

  /** Lets a timer that failed wait, so that it holds up no other. It is never given up. */
  async function backOff(
    { key, kind, attempts, requestId }: ClaimedTimer,
    error: Error,
  ): Promise<void> {
    const delayMs = Math.min(env.JOB_BACKOFF_MS * 2 ** Math.min(attempts, 30), BACKOFF_MAX_MS);
    const reason = error.message.slice(0, REASON_MAX_LENGTH);
    await db.$executeRaw`
      UPDATE timers
      SET attempts = attempts + 1, error = ${reason},
          due_at = now() + make_interval(secs => ${delayMs / 1000})
      WHERE key = ${key} AND attempts = ${attempts} AND done_at IS NULL`;
    const level = attempts + 1 < env.JOB_ATTEMPTS ? 'warn' : 'error';
    log[level](
      { timer: key, kind, requestId: requestId ?? undefined, attempts: attempts + 1, reason },
      'Timer failed; will retry',
    );
  }

  /** Runs the next timer that is due. @returns false when there is none */
  async function runNext(): Promise<boolean> {
    let claimed: ClaimedTimer | undefined;
    let planned: readonly Planned[];
    try {
      planned = await retryConflicts(() =>
        db.$transaction(async (tx) => {
          claimed = await claim(tx);
          if (!claimed) return [];
          const { key, kind, requestId } = claimed;
          const run = async () => {
            const done = (await definitions[kind]?.run(key, tx)) ?? [];
            if (done !== OUTDATED) return done;
            await tx.timer.update({ where: { key }, data: { error: OUTDATED } });
            return [];
          };
          return requestId === null ? run() : withRequestId(requestId, run);
        }),
      );
    } catch (error) {
      if (!claimed) throw error;
      await backOff(claimed, error as Error);
      return true;
    }
    if (!claimed) return false;
    log.info({ timer: claimed.key, kind: claimed.kind }, 'Timer done');
    void eventLog.sequence();
    // The sweep adds what is not added now.
    await schedule.addDelayed(planned).catch(() => {});
    return true;
  }

  async function runAllDue(): Promise<void> {
    const lane = async () => {
      while (!isClosed && (await runNext())) {
        // Until none is left.
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: concurrency }, lane));
    const failed = lanes.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Returns the milliseconds until the next timer is due, by the clock of the database. */
  async function nextDueMs(): Promise<number> {
    const [row] = await db.$queryRaw<{ ms: number | null }[]>`
      SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float8 AS ms
      FROM timers WHERE done_at IS NULL AND restored_at IS NULL AND kind = ANY (${kinds}::text[])`;
    return row?.ms ?? POLL_INTERVAL_MS;
  }

  async function checkOnce(): Promise<void> {
    let delayMs = POLL_INTERVAL_MS;
    try {
      await runAllDue();
      delayMs = await nextDueMs();
    } catch (error) {
      const level = isDatabaseAway(error) ? 'debug' : 'warn';
      log[level]({ reason: (error as Error).message }, 'Timers could not be run; will retry');
    }
    // One that is due already is held by another process, or has just become due.
    wakeIn(delayMs > 0 ? Math.min(delayMs, POLL_INTERVAL_MS) : BUSY_RETRY_MS);
  }

  function check(): void {
    wakesAt = Number.POSITIVE_INFINITY;
    if (isClosed) return;
    if (checking) {
      // What is asked for may have been missed by the look that is about to end.
      void checking.then(() => wakeIn(0));
      return;
    }
    checking = checkOnce().finally(() => {
      checking = undefined;
    });
  }

  function wakeIn(delayMs: number): void {
    const at = Date.now() + delayMs;
    if (isClosed || at >= wakesAt) return;
    clearTimeout(wakeTimer);
    wakesAt = at;
    // A delay is cut to whole milliseconds: one more, so that the timer is due when it goes off.
    wakeTimer = setTimeout(check, delayMs + 1);
  }

  check();

  return {
    /** Looks at a time, at which this process has just set a timer. */
    checkAt(dueAt: Date): void {
      wakeIn(Math.max(0, dueAt.getTime() - clockMs()));
    },

    /** Takes no more timers and waits for those that are running. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(wakeTimer);
      await checking;
    },
  };
}

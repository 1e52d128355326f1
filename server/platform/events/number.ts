import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../process/log.ts';

/** Delay before the next round, so that callers share it: a round costs nearly the same for any count. */
const GATHER_MS = 4;
/** How often events are numbered without a call of `sequence`. */
const SWEEP_MS = 1000;
/** The shortest time between two warnings. */
const WARN_INTERVAL_MS = 60_000;

/** Numbers committed events and passes each numbered batch, as JSON, to `publish`. */
export function createNumbering(options: {
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

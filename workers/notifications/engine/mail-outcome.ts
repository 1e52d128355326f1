import { UnrecoverableError } from 'bullmq';
import type { Transaction } from '../../../prisma/client.ts';
import type { NotificationDelivery } from '../../../prisma/generated/client.ts';
import { markUnreachable } from '../../../server/people/auth/unreachable.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import type { Env } from '../../../server/platform/process/env.ts';
import { SmtpError } from '../../../server/platform/process/smtp.ts';
import { transact } from '../../../server/platform/stores/postgres.ts';
import { PostponedError } from '../../delivery/postpone.ts';
import { markFailed } from './delivery.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * When a mail is repeated whose outcome is unknown. A server that took it after all has had 10 minutes for that, and
 * whatever was between has had its time to pass the answer on.
 */
export const REPEAT_AFTER_MS = 16 * MINUTE_MS;

/** What a delivery says whose second answer was lost too. */
export const OUTCOME_UNKNOWN =
  'The mail server did not say whether it took the mail, twice. It may have arrived.';

type Row = NotificationDelivery;
type Waiting = Pick<Row, 'retryAt' | 'outcomeUnknownAt'>;

/** The longest wait between two attempts: a server that was away is back for all mails soon. */
const RETRY_DELAY_MAX_MS = HOUR_MS;

/**
 * Returns how long a mail waits for its next attempt after `attempts` of them, in milliseconds: each time twice as
 * long, an hour at most, the last one at the end of `MAIL_RETRY_HOURS`; null after that.
 */
export function retryDelayMs(
  attempts: number,
  env: Pick<Env, 'JOB_BACKOFF_MS' | 'MAIL_RETRY_HOURS'>,
): number | null {
  let delayMs = 0;
  let leftMs = env.MAIL_RETRY_HOURS * HOUR_MS;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    leftMs -= delayMs;
    delayMs = Math.min(env.JOB_BACKOFF_MS * 2 ** (attempt - 1), RETRY_DELAY_MAX_MS);
  }
  return leftMs > 0 ? Math.min(delayMs, leftMs) : null;
}

/** Returns how long a mail may not be attempted yet, in milliseconds; 0 or less when it may. */
export const waitLeftMs = ({ retryAt, outcomeUnknownAt }: Waiting, now: Date): number =>
  Math.max(
    retryAt?.getTime() ?? 0,
    outcomeUnknownAt ? outcomeUnknownAt.getTime() + REPEAT_AFTER_MS : 0,
  ) - now.getTime();

/**
 * Notes that a mail server may have taken a mail from now on. Where its answer is lost, or the process ends before it,
 * the mail is repeated once.
 */
export async function markHandedOver(
  { db }: ProcessPlatform,
  ids: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE notification_deliveries SET outcome_unknown_at = now() WHERE id = ANY (${ids}::uuid[])`;
}

/** Writes the deliveries of a mail that is attempted again, and when. @throws PostponedError always */
async function retryAfter(
  { db }: ProcessPlatform,
  ids: readonly string[],
  { delayMs, reason, isUnknown }: { delayMs: number; reason: string; isUnknown: boolean },
): Promise<never> {
  await db.$executeRaw`
    UPDATE notification_deliveries
    SET attempts = attempts + 1, error = ${reason},
      retry_at = now() + make_interval(secs => ${delayMs / 1000}::float8),
      outcome_unknown_at = CASE WHEN ${isUnknown} THEN now() END
    WHERE id = ANY (${ids}::uuid[])`;
  throw new PostponedError(delayMs);
}

/**
 * Writes what a failed attempt means for the deliveries of a mail, and for its address.
 * @throws PostponedError when it is attempted again, UnrecoverableError when it failed permanently and somebody has to
 * mend something; nothing where the address alone is the reason
 */
export async function settleFailure(
  platform: ProcessPlatform,
  { batch, to }: { batch: readonly Row[]; to: string },
  error: Error,
): Promise<void> {
  if (error instanceof PostponedError) throw error;
  const { env, log, db } = platform;
  const ids = batch.map(({ id }) => id);
  const [first] = batch;
  const details = { delivery: first?.id, kind: first?.kind, reason: error.message };
  const { verdict, reply } =
    error instanceof SmtpError ? error : { verdict: 'retry' as const, reply: '' };
  if (verdict === 'unknown' && !first?.isRepeat) {
    log.warn(details, 'Mail server did not say whether it took a mail; repeating it once');
    const reason = error.message;
    return retryAfter(platform, ids, { delayMs: REPEAT_AFTER_MS, reason, isUnknown: true });
  }
  const delayMs = verdict === 'retry' ? retryDelayMs((first?.attempts ?? 0) + 1, env) : null;
  if (delayMs !== null) {
    log.warn({ ...details, delayMs }, 'Mail was not taken; will retry');
    return retryAfter(platform, ids, { delayMs, reason: error.message, isUnknown: false });
  }
  if (verdict === 'addressRefused') {
    await transact(db, async (tx) => {
      await markUnreachable(tx, to, reply);
      await fail(tx, ids, error);
    });
    log.warn(details, 'Mail server refuses an address permanently; nothing more is mailed there');
    return;
  }
  const reason = verdict === 'unknown' ? OUTCOME_UNKNOWN : error.message;
  await fail(db, ids, new Error(reason));
  throw new UnrecoverableError(reason);
}

const fail = (db: ProcessPlatform['db'] | Transaction, ids: readonly string[], error: Error) =>
  markFailed({ db }, ids, error, true);

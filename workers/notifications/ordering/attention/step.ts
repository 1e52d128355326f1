import { randomUUID } from 'node:crypto';
import type { EscalationStep } from '#contract/ordering/attention/constants';
import { ATTENTION_KINDS } from '#contract/people/notifications/constants';
import type { Transaction } from '../../../../prisma/client.ts';
import type { Channel } from '../../../../prisma/generated/client.ts';
import {
  type LockedAttention,
  lockAttention,
} from '../../../../server/ordering/attention/circumstances.ts';
import {
  pauseUnanswered,
  UNANSWERED,
  unansweredTimer,
} from '../../../../server/ordering/attention/pause.ts';
import { turnOf } from '../../../../server/ordering/attention/policy.ts';
import { readPeople, recordChanged } from '../../../../server/ordering/attention/read.ts';
import {
  isTold,
  receiversOf,
  type Staff,
} from '../../../../server/ordering/attention/receivers.ts';
import { timerOf, writeCourse } from '../../../../server/ordering/attention/write.ts';
import { isTextingOn } from '../../../../server/people/phone/policy.ts';
import type { ProcessPlatform } from '../../../../server/platform/events/platform.ts';
import { currentRequestId } from '../../../../server/platform/process/request-context.ts';
import { lockName } from '../../../../server/platform/stores/postgres.ts';
import { isOnline } from '../../../../server/platform/stores/presence.ts';
import { setTimers } from '../../../../server/platform/stores/timers.ts';
import { type Planned, PUSH_KEY_SEPARATOR } from '../../../delivery/schedule.ts';
import { type AlertMessage, paceOf, TOGETHER_MS } from './pace.ts';

const PREFIX = 'attention:';

/**
 * Gives an attention its turn, all within the transaction that has taken its timer: what becomes of it, whom its step
 * tells, and when it is due again.
 * @returns the deliveries that need a job after the commit
 */
export async function runAttention(
  platform: Pick<ProcessPlatform, 'env' | 'redis'>,
  key: string,
  tx: Transaction,
): Promise<readonly Planned[]> {
  const id = key.slice(PREFIX.length);
  if (id.startsWith(UNANSWERED)) {
    await pauseUnanswered(tx, id.slice(UNANSWERED.length));
    return [];
  }
  const locked = await lockAttention(tx, id);
  if (!locked || locked.row.state === 'resolved') return [];
  const { course, run, timerAt } = turnOf(locked.row, locked.row.plan, locked.around);
  const planned = run.length === 0 ? [] : await tell(platform, tx, locked, { run, course });
  await writeCourse(tx, { id, course, plan: locked.row.plan });
  const isExhausted = course.exhaustedAt !== locked.row.exhaustedAt;
  await setTimers(tx, [
    ...timerOf(id, timerAt),
    ...(isExhausted ? unansweredTimer(locked.row, course.exhaustedAt) : []),
  ]);
  await recordChanged(tx, [id]);
  return planned;
}

/** Somebody whom a step tells over a channel. */
interface Told {
  channel: Exclude<Channel, 'in_app'> | 'ring';
  person: Staff;
}

/** Writes whom a step tells into the ledger: who is rung is told by that, the others by mails and pushes. */
async function tell(
  platform: Pick<ProcessPlatform, 'env' | 'redis'>,
  tx: Transaction,
  { row: { id, kind, farmId } }: LockedAttention,
  {
    run,
    course: { round, step },
  }: { run: readonly EscalationStep[]; course: { round: number; step: number } },
): Promise<Planned[]> {
  const { staff, now } = await readPeople(tx, [farmId]);
  const ofFarm = staff.get(farmId) ?? [];
  const meant = run.flatMap((part) =>
    receiversOf(part, kind, ofFarm, now).flatMap((person) =>
      part.channels
        .filter((channel) => channel !== 'sms' || isTextingOn(platform.env))
        .filter((channel) => isTold(channel, kind, person))
        .map((channel) => ({ channel, person }) as Told),
    ),
  );
  const online = await whoIsOnline(platform, meant);
  const rung = meant.filter(
    ({ channel, person }) => channel === 'ring' && online.has(person.userId),
  );
  // Whoever has a page open is rung there first.
  const isRungFirst = ({ channel, person }: Told) =>
    step === 1 && channel === 'push' && rung.some((each) => each.person === person);
  const outside = meant.filter((each) => each.channel !== 'ring' && !isRungFirst(each));
  const last = await lockLastMessages(tx, outside);
  const key = `${PREFIX}${id}:${round}:${step}`;
  const rows = [
    ...rung.map(({ person: { userId } }) => ({
      ...{ userId, key, channel: 'in_app' as const, status: 'sent' as const },
      ...{ dueAt: last.now, isHeld: false, about: null as string | null },
    })),
    ...outside.flatMap(({ channel, person: { userId, subscriptionIds } }) => {
      if (channel === 'ring') return [];
      // How often somebody is texted is decided when they are.
      const before = channel === 'sms' ? undefined : last.messages.get(`${userId} ${channel}`);
      const paced = paceOf(last.now, id, before);
      const keys =
        channel === 'push' ? subscriptionIds.map((each) => key + PUSH_KEY_SEPARATOR + each) : [key];
      return keys.map((each) => ({
        ...{ userId, key: each, channel, status: 'pending' as const },
        ...paced,
      }));
    }),
  ].map((row) => ({ id: randomUUID(), kind, attentionId: id, createdAt: last.now, ...row }));
  // A person may be meant by several parts of a step.
  const written = await tx.notificationDelivery.createManyAndReturn({
    data: rows.map((row) => ({
      ...row,
      sentAt: row.status === 'sent' ? last.now : null,
    })),
    skipDuplicates: true,
    select: { id: true },
  });
  const added = new Set(written.map((row) => row.id));
  return rows
    .filter((row) => added.has(row.id) && row.status === 'pending')
    .map(({ dueAt, ...row }) => ({
      ...{ id: row.id, userId: row.userId, channel: row.channel, kind: row.kind },
      requestId: currentRequestId() ?? null,
      heldMs: dueAt.getTime() - last.now.getTime(),
    }));
}

/** Returns who of those that a step rings has a page open; nobody while Redis is away. */
async function whoIsOnline(
  { env, redis }: Pick<ProcessPlatform, 'env' | 'redis'>,
  meant: readonly Told[],
): Promise<Set<string>> {
  const ids = new Set(
    meant.filter(({ channel }) => channel === 'ring').map(({ person }) => person.userId),
  );
  const found = await Promise.all(
    [...ids].map(async (userId) =>
      (await isOnline(redis, env.REDIS_PREFIX, userId).catch(() => false)) ? [userId] : [],
    ),
  );
  return new Set(found.flat());
}

/**
 * Reads the last message about what asks to each person over each channel, and keeps other steps from adding one until
 * this transaction ends.
 */
async function lockLastMessages(
  tx: Transaction,
  told: readonly Told[],
): Promise<{ now: Date; messages: ReadonlyMap<string, AlertMessage> }> {
  const ids = [...new Set(told.map(({ person }) => person.userId))].sort();
  for (const userId of ids) await lockName(tx, `alerts ${userId}`);
  const rows = await tx.$queryRaw<
    { now: Date; key: string | null; about: string | null; at: Date | null }[]
  >`
    SELECT clock.now, last.key, last.about, last.at
    FROM (SELECT clock_timestamp() AS now) AS clock LEFT JOIN LATERAL (
      SELECT DISTINCT ON (d.user_id, d.channel) d.user_id || ' ' || d.channel AS key, d.about, sent.at
      FROM notification_deliveries d
      CROSS JOIN LATERAL (SELECT CASE WHEN d.is_held THEN d.due_at ELSE d.created_at END AS at) AS sent
      WHERE d.user_id = ANY (${ids}::uuid[]) AND d.kind = ANY (${[...ATTENTION_KINDS]}::text[])
        AND d.channel <> 'in_app' AND d.attention_id IS NOT NULL
        -- What waits was written within that time.
        AND d.created_at > clock.now - make_interval(secs => ${(2 * TOGETHER_MS) / 1000})
      ORDER BY d.user_id, d.channel, sent.at DESC
    ) AS last ON true`;
  const messages = new Map<string, AlertMessage>();
  for (const { key, about, at } of rows) {
    if (key !== null && about !== null && at !== null) messages.set(key, { about, at });
  }
  return { now: rows[0]?.now ?? new Date(), messages };
}

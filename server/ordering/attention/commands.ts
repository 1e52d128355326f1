import type { Acknowledged, Attention } from '#contract/ordering/attention/attention';
import { room } from '#contract/platform/events/constants';
import { FARM_PERMISSIONS } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { presentPerson } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { forbidden, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { userKey } from '../../platform/http/rate-limit.ts';
import { actingFarm, lockWorker, MAY_ACT } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { setTimers } from '../../platform/stores/timers.ts';
import { instantOf, readClock } from '../../platform/time/clock.ts';
import { acknowledgedCourse, WITHOUT_STEPS } from './policy.ts';
import {
  type AttentionRow,
  IS_OPEN,
  presentAttentions,
  readAttentions,
  recordChanged,
} from './read.ts';
import { CONCERNS } from './receivers.ts';
import { resolveAttentions } from './resolve.ts';
import { readAcknowledgementToken } from './token.ts';
import { timerKeyOf, timerOf, writeCourse } from './write.ts';

/** Lists what waits at the caller's farm, oldest first; for admins at every farm. @throws 403 who works for no farm */
export async function listAttentions({ db }: Platform, user: SessionUser): Promise<Attention[]> {
  const rows = await (user.role === 'admin'
    ? readAttentions(db, IS_OPEN)
    : readAttentions(db, `${IS_OPEN} AND a.farm_id = $1::uuid`, actingFarm(user)));
  return presentAttentions(db, rows);
}

const noAttention = () => notFound(msg('Nothing of this kind waits at your farm.'));

/**
 * Locks attentions of a farm by ascending id, each after its timer, as a step does that is just running.
 * @throws 404 one of them is none of the farm
 */
export async function lockAttentions(
  tx: Transaction,
  farmId: string,
  ids: readonly string[],
): Promise<AttentionRow[]> {
  const wanted = [...new Set(ids)];
  await tx.$queryRawUnsafe(
    'SELECT 1 FROM timers WHERE key = ANY ($1::text[]) ORDER BY key FOR UPDATE',
    wanted.map(timerKeyOf),
  );
  await tx.$queryRawUnsafe(
    'SELECT 1 FROM attentions WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
    wanted,
  );
  const rows = await readAttentions(
    tx,
    'a.id = ANY ($1::uuid[]) AND a.farm_id = $2::uuid',
    wanted,
    farmId,
  );
  if (rows.length < wanted.length) throw noAttention();
  return rows;
}

const presentAcknowledged = ({
  id,
  state,
  acknowledgedBy,
  acknowledgedAt,
}: AttentionRow): Acknowledged => {
  // What waits again was somebody's in a round before.
  const isTaken = state === 'acknowledged' || state === 'resolved';
  return {
    _id: id,
    state,
    by: isTaken && acknowledgedBy ? presentPerson(acknowledgedBy) : null,
    at: (isTaken && acknowledgedAt?.toISOString()) || null,
  };
};

/** Stops the plans of attentions that are locked; whoever was first stays. @returns what became of them */
async function acknowledge(
  tx: Transaction,
  userId: string,
  rows: readonly AttentionRow[],
): Promise<Acknowledged[]> {
  const now = await readClock(tx);
  const taken = rows.flatMap((row) => {
    // A customer alone answers what they are asked.
    const course =
      row.userId === null ? acknowledgedCourse(row, row.plan ?? WITHOUT_STEPS, now) : undefined;
    return course ? [{ id: row.id, course, acknowledgedById: userId }] : [];
  });
  for (const each of taken) await writeCourse(tx, each);
  await setTimers(
    tx,
    taken.flatMap(({ id, course }) => timerOf(id, course.nextAt)),
  );
  await recordChanged(
    tx,
    taken.map(({ id }) => id),
  );
  const after = await readAttentions(
    tx,
    'a.id = ANY ($1::uuid[])',
    rows.map(({ id }) => id),
  );
  return after.map(presentAcknowledged);
}

/**
 * Says that the caller is on it, which stops the plan on all devices for a while.
 * @returns each as it is now, with the name of who was first
 * @throws 401, 403 the caller has alerts off, 404 not of the caller's farm
 */
export const acknowledgeAttentions = (
  { db }: Platform,
  user: SessionUser,
  ids: readonly string[],
): Promise<Acknowledged[]> =>
  transact(db, async (tx) => {
    const farmId = actingFarm(user);
    await lockWorker(tx, user);
    const member = await tx.farmMember.findFirst({ where: { farmId, userId: user.id } });
    if (!member?.hasAlerts) {
      throw forbidden(msg('Your alerts of this farm are off. Turn them on to answer for it.'));
    }
    return acknowledge(tx, user.id, await lockAttentions(tx, farmId, ids));
  });

const brokenToken = () =>
  notFound(msg("This button doesn't work any more. Open the order instead."));

/**
 * Says so by a push message's token: for the person it was sent to, while they work for the farm and may do what it is
 * about, and of what it asked for in that round alone.
 * @throws 404 the token is none, or too old, or its person may not any more
 */
export const acknowledgeByToken = ({ db, env }: Platform, token: string): Promise<Acknowledged[]> =>
  transact(db, async (tx) => {
    const read = readAcknowledgementToken(env, token);
    if (!read || read.expiresAt < (await readClock(tx))) throw brokenToken();
    const { userId, attentions } = read;
    const [person] = await tx.$queryRawUnsafe<unknown[]>(
      `SELECT 1 FROM users WHERE id = $1::uuid AND ${MAY_ACT} FOR KEY SHARE`,
      userId,
    );
    const [member] = await tx.$queryRaw<{ farmId: string; role: keyof typeof FARM_PERMISSIONS }[]>`
      SELECT farm_id AS "farmId", role::text FROM farm_members WHERE user_id = ${userId}::uuid FOR SHARE`;
    if (!person || !member) throw brokenToken();
    const rounds = new Map(attentions.map(({ id, round }) => [id, round]));
    // What is gone is nothing that a person could do something about.
    const known = await tx.attention.findMany({
      where: { id: { in: [...rounds.keys()] }, farmId: member.farmId },
      select: { id: true },
    });
    if (known.length === 0) throw brokenToken();
    const rows = await lockAttentions(
      tx,
      member.farmId,
      known.map(({ id }) => id),
    );
    if (rows.some(({ kind }) => !FARM_PERMISSIONS[member.role]?.includes(CONCERNS[kind]))) {
      throw brokenToken();
    }
    const asked = rows.filter(({ id, round }) => rounds.get(id) === round);
    await acknowledge(tx, userId, asked);
    const after = await readAttentions(
      tx,
      'a.id = ANY ($1::uuid[])',
      rows.map(({ id }) => id),
    );
    return after.map(presentAcknowledged);
  });

/**
 * Notes that alerts stood in a visible page of somebody of the farm. It stops no plan, but that of a moved slot, of which
 * there is nothing more to do.
 * @throws 401, 404 not of the caller's farm
 */
export const seeAttentions = (
  { db }: Platform,
  user: SessionUser,
  ids: readonly string[],
): Promise<void> =>
  transact(db, async (tx) => {
    const farmId = actingFarm(user);
    await lockWorker(tx, user);
    const rows = await lockAttentions(tx, farmId, ids);
    const own = rows.filter((row) => row.userId === null);
    await markSeen(
      tx,
      user.id,
      own.map(({ id }) => id),
    );
  });

/** Of these kinds nothing more is asked of their people than to have seen it. */
const DONE_BY_SEEING = "a.kind IN ('order.slotMoved', 'order.changeProposed')";

/** Marks attentions as seen: the first time counts. */
async function markSeen(tx: Transaction, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const seen = await tx.$queryRawUnsafe<{ id: string; isDone: boolean }[]>(
    `UPDATE attentions a SET seen_at = clock_timestamp(), seen_by_id = $2::uuid, version = a.version + 1
     WHERE a.id = ANY ($1::uuid[]) AND a.seen_at IS NULL AND a.state <> 'resolved'
     RETURNING a.id, (${DONE_BY_SEEING}) AS "isDone"`,
    ids,
    userId,
  );
  const idsOf = (isDone: boolean) =>
    seen.filter((each) => each.isDone === isDone).map(({ id }) => id);
  await recordChanged(tx, idsOf(false));
  await resolveAttentions(tx, 'seen', 'a.id = ANY ($2::uuid[])', idsOf(true));
}

/**
 * Marks what somebody was asked as seen, because they have just read a notification about it: what is theirs as a
 * customer, and what is their farm's.
 */
export async function seeByNotifications(
  tx: Transaction,
  userId: string,
  read: readonly { kind: string; link: string }[],
): Promise<void> {
  if (read.length === 0) return;
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT a.id FROM attentions a
     WHERE a.state <> 'resolved' AND a.seen_at IS NULL
       AND (a.kind, a.link) IN (SELECT kind, link FROM unnest($2::text[], $3::text[]) AS read (kind, link))
       AND (a.user_id = $1::uuid
         OR (a.user_id IS NULL AND a.farm_id = (SELECT farm_id FROM farm_members WHERE user_id = $1::uuid)))
     ORDER BY a.id FOR UPDATE`,
    userId,
    read.map(({ kind }) => kind),
    read.map(({ link }) => link),
  );
  await markSeen(
    tx,
    userId,
    rows.map(({ id }) => id),
  );
}

/**
 * Turns what reaches the caller outside the app off for the rest of their farm's day, or on again.
 * @throws 401, 403 who works for no farm
 */
export const setOff = (
  { db }: Platform,
  user: SessionUser,
  isOff: boolean,
): Promise<{ offUntil: string | null }> =>
  transact(db, async (tx) => {
    const farmId = actingFarm(user);
    await lockWorker(tx, user);
    const farm = await tx.farmerProfile.findUnique({
      where: { userId: farmId },
      select: { timeZone: true },
    });
    const { timeZone } = farm ?? {};
    const tomorrow = addDays(dayIn(timeZone, await readClock(tx)), 1);
    const offUntil = isOff && timeZone ? instantOf({ date: tomorrow }, timeZone) : null;
    const members = await tx.farmMember.updateManyAndReturn({
      where: { farmId, userId: user.id },
      data: { offUntil },
      select: { id: true },
    });
    await record(
      tx,
      ...members.map(({ id }) => ({
        name: 'member.changed' as const,
        data: { _id: id },
        rooms: [room.farm(farmId)],
      })),
    );
    return { offUntil: offUntil?.toISOString() ?? null };
  });

/** Rings the caller on their open pages, and pushes to their browsers. @throws 429 again within ten seconds */
export async function tryOut({ db, rateLimits }: Platform, user: SessionUser): Promise<void> {
  await rateLimits('alertTries', [userKey(user.id)]);
  await transact(db, async (tx) => {
    await lockWorker(tx, user);
    const at = await readClock(tx);
    await record(tx, {
      name: 'attention.tried',
      data: { at: at.toISOString() },
      rooms: [room.user(user.id)],
    });
  });
}

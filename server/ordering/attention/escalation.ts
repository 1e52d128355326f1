import type { FarmEscalation, UpdateFarmEscalation } from '#contract/ordering/attention/attention';
import type { EscalationPlan } from '#contract/ordering/attention/constants';
import { room } from '#contract/platform/events/constants';
import { msg, t } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import { quietUntil } from '../../farm/escalation/quiet.ts';
import { lockFarmProfile } from '../../farm/farmers/service.ts';
import { isTextingOn } from '../../people/phone/policy.ts';
import { record } from '../../platform/events/event-log.ts';
import { invalid, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { defined, transact } from '../../platform/stores/postgres.ts';
import { setTimers } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { lockAttentions } from './commands.ts';
import { planOf, wokenCourse } from './policy.ts';
import { readPeople } from './read.ts';
import { reachesNobody } from './receivers.ts';
import { timerOf, writeCourse } from './write.ts';

/** What a farm's column `escalation` holds: what it has changed of the market's plan. */
export type StoredEscalation = Partial<EscalationPlan> & { silentUntil?: string | null };

type EscalationRow = Pick<FarmerProfile, 'userId' | 'escalation' | 'escalationVersion'>;

async function present(
  db: Database | Transaction,
  { userId: farmId, escalation, escalationVersion }: EscalationRow,
  user: SessionUser,
  env: Platform['env'],
): Promise<FarmEscalation> {
  const stored = escalation as StoredEscalation;
  const plan = planOf('order.placed', stored);
  const { staff, now } = await readPeople(db, [farmId]);
  const ofFarm = staff.get(farmId) ?? [];
  const { silentUntil = null } = stored;
  const offUntil = ofFarm.find(({ userId }) => userId === user.id)?.offUntil ?? null;
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, channels: [...step.channels] })),
    silentUntil: silentUntil !== null && new Date(silentUntil) > now ? silentUntil : null,
    offUntil: offUntil && offUntil > now ? offUntil.toISOString() : null,
    hasSms: isTextingOn(env),
    isUnreachable: reachesNobody(plan, 'order.placed', ofFarm, now),
    version: escalationVersion,
  };
}

/** Returns how the caller's farm is told of new orders. @throws 403 who works for no farm, 404 no such farm */
export async function readEscalation(
  { db, env }: Platform,
  user: SessionUser,
): Promise<FarmEscalation> {
  const row = await db.farmerProfile.findUnique({ where: { userId: actingFarm(user) } });
  if (!row) throw notFound(msg('Farmer not found'));
  return present(db, row, user, env);
}

/**
 * Changes the given parts of how the caller's farm is told of new orders. What is running keeps the plan with which it
 * began.
 * @throws 400 a step is for somebody who does not work there; 401; 403 not within the caller's role; 404 no such farm;
 * 409 VERSION_CONFLICT
 */
export const updateEscalation = (
  { db, env }: Platform,
  user: SessionUser,
  { expectedVersion, steps, ...change }: UpdateFarmEscalation,
): Promise<FarmEscalation> =>
  transact(db, async (tx) => {
    const farmId = actingFarm(user);
    await lockWorker(tx, user);
    const before = await lockFarmProfile(tx, farmId);
    await requireVersion(expectedVersion, before.escalationVersion, () =>
      present(tx, before, user, env),
    );
    await requireStaff(tx, farmId, steps);
    const inOrder = steps?.toSorted((one, other) => one.afterSeconds - other.afterSeconds);
    const escalation = {
      ...(before.escalation as StoredEscalation),
      ...defined({ ...change, steps: inOrder }),
    };
    const updated = await tx.farmerProfile.update({
      where: { userId: farmId },
      data: { escalation: escalation as object, escalationVersion: { increment: 1 } },
    });
    if (change.silentUntil !== undefined) await wake(tx, before);
    await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
    return present(tx, updated, user, env);
  });

/**
 * Gives what a farm's holiday has put off its turn now, because another end was chosen. The turn itself puts it off again
 * where there still is a silence.
 */
async function wake(
  tx: Transaction,
  { userId: farmId, escalation, timeZone }: FarmerProfile,
): Promise<void> {
  const { silentUntil } = escalation as StoredEscalation;
  const now = await readClock(tx);
  if (!silentUntil || new Date(silentUntil) <= now) return;
  const holidayEnd = new Date(silentUntil);
  const waiting = await tx.attention.findMany({
    where: { farmId, userId: null, state: 'waiting', nextAt: { gte: holidayEnd } },
    select: { id: true },
  });
  const ids = waiting.map(({ id }) => id);
  const putOff = (await lockAttentions(tx, farmId, ids)).filter(({ state, plan, nextAt }) => {
    const end = quietUntil(plan?.quietHours ?? null, timeZone, holidayEnd) ?? holidayEnd;
    return state === 'waiting' && nextAt?.getTime() === end.getTime();
  });
  for (const row of putOff) await writeCourse(tx, { id: row.id, course: wokenCourse(row, now) });
  await setTimers(
    tx,
    putOff.flatMap(({ id }) => timerOf(id, now)),
  );
}

/** Requires that whoever is named by a step works for the farm. @throws 400 */
async function requireStaff(
  tx: Transaction,
  farmId: string,
  steps: UpdateFarmEscalation['steps'] = [],
): Promise<void> {
  const named = steps.flatMap(({ user }) => user ?? []);
  if (named.length === 0) return;
  const members = await tx.farmMember.findMany({
    where: { farmId, userId: { in: named } },
    select: { userId: true },
  });
  const errors = steps.flatMap(({ user }, index) =>
    user === undefined || members.some(({ userId }) => userId === user)
      ? []
      : [{ path: `steps.${index}.user`, message: t('Choose somebody who works for your farm.') }],
  );
  if (errors.length > 0) throw invalid(errors.map(({ message }) => message).join(' '), errors);
}

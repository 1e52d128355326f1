import type { MarkSeen } from '#contract/ordering/picklist/picklist';
import { room } from '#contract/platform/events/constants/events';
import { personSelect, presentPerson } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { lockScope, scopeFields, scopeOf } from './scope.ts';

// A mark never goes back to an earlier entry, and never before what the order has. $1 the farm, $2 the day, $3 the
// place or null, $4 who, $5 when, $6 the orders, $7 their entries.
const WRITE_SEEN = `INSERT INTO pick_seen AS known (order_id, date, place_id, sequence, by_id, at)
  SELECT o.id, $2::date, $3::uuid, mark.sequence, $4::uuid, $5::timestamptz
  FROM unnest($6::uuid[], $7::int[]) AS mark (id, sequence) JOIN orders o ON o.id = mark.id
  WHERE o.farmer_id = $1::uuid AND mark.sequence <= (
    SELECT max(sequence) FROM order_timeline WHERE order_id = o.id)
  ON CONFLICT (order_id, date, COALESCE(place_id, order_id)) DO UPDATE
    SET sequence = EXCLUDED.sequence, by_id = EXCLUDED.by_id, at = EXCLUDED.at
    WHERE known.sequence < EXCLUDED.sequence
  RETURNING order_id AS "orderId", sequence`;

/**
 * Marks changes of a list as seen, each by its order and the last entry of that order's timeline that the caller knows.
 * What somebody has seen already stays theirs.
 * @returns how many orders are newly marked
 * @throws 401 the account was just deleted, 404 not a place of the farm
 */
export async function markSeen(
  platform: Platform,
  user: SessionUser,
  body: MarkSeen,
): Promise<{ seen: number }> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const scope = await scopeOf(tx, farmId, body);
    await lockScope(tx, scope);
    const at = await readClock(tx);
    const marks = new Map<string, number>();
    for (const { orderId, sequence } of body.changes) {
      marks.set(orderId, Math.max(sequence, marks.get(orderId) ?? 0));
    }
    const changes = await tx.$queryRawUnsafe<{ orderId: string; sequence: number }[]>(
      WRITE_SEEN,
      farmId,
      scope.date,
      scope.place,
      user.id,
      at,
      [...marks.keys()],
      [...marks.values()],
    );
    if (changes.length === 0) return { seen: 0 };
    const by = await tx.user.findUniqueOrThrow({ where: { id: user.id }, select: personSelect });
    await record(tx, {
      name: 'picklist.seen',
      data: {
        farmId,
        ...scopeFields(scope),
        changes,
        by: presentPerson(by),
        at: at.toISOString(),
      },
      rooms: [room.farm(farmId)],
    });
    return { seen: changes.length };
  });
}

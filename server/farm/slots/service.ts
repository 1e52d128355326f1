import type { FarmSlot, UpdateSlot } from '#contract/farm/slots/slots';
import { record } from '../../platform/events/event-log.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { presentFarmSlot, slotUpdated } from './present.ts';
import { closingOf, lockSlots } from './read.ts';

// What other features use of slots.

/**
 * Changes how many orders a slot takes, or closes or opens it. A capacity below what is taken throws nobody
 * out.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 not a slot of this farm,
 *   409 SLOT_OVER or SLOT_CANCELLED
 */
export async function updateSlot(
  platform: Platform,
  user: SessionUser,
  id: string,
  { capacity, state }: UpdateSlot,
): Promise<FarmSlot> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const found = (await lockSlots(tx, [id])).get(id);
    if (found?.row.farmId !== farmId) throw notFound('Slot not found');
    const { row, farm, now } = found;
    if (new Date(row.endsAt) <= now) {
      throw conflict('SLOT_OVER', "This pickup time is over, so it can't be changed.");
    }
    if (row.state === 'cancelled') {
      throw conflict(
        'SLOT_CANCELLED',
        "This time is no longer in the place's hours. Change the hours, or move its orders.",
      );
    }
    const changed = {
      ...row,
      capacity: capacity === undefined ? row.capacity : capacity,
      state: state ?? row.state,
    };
    if (changed.capacity !== row.capacity || changed.state !== row.state) {
      await tx.slot.update({
        where: { id },
        data: {
          state: changed.state,
          capacity: changed.capacity,
          ...(changed.capacity === row.capacity ? {} : { hasOwnCapacity: true }),
        },
        select: { id: true },
      });
      await record(tx, slotUpdated(changed));
    }
    return presentFarmSlot(changed, closingOf(farm)(row));
  });
}

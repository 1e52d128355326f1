import type { NearestSlots, OfferedSlot } from '#contract/farm/slots/slots';
import { formatDay, formatWallTime, wallClockIn } from '#contract/platform/time/constants';
import { AppError } from '../../platform/http/errors.ts';
import type { SlotRefusal } from './policy.ts';
import type { SlotRow } from './present.ts';
import { nearestSlots, type ReadStatement } from './read.ts';

/** What was asked for when a slot was refused. */
export interface RefusedSlot {
  code: SlotRefusal;
  /** The slot; null when the farm has none of this id. */
  row: SlotRow | null;
  farmId: string;
  timeZone: string;
  now: Date;
  /** How many orders were to go into it. */
  orders?: number;
  /** The field of the request that names the slot. */
  path: string;
}

/** Returns why orders cannot go into a slot, with the nearest free slots to choose from. */
export async function slotRefused(read: ReadStatement, refused: RefusedSlot): Promise<AppError> {
  const { code, row, farmId, orders, path } = refused;
  const near = row ? { startsAt: new Date(row.startsAt), placeId: row.place.id } : undefined;
  const nearest = await nearestSlots(read, farmId, near, orders);
  const reason = reasonOf(refused);
  const data: NearestSlots = { nearest };
  const message = `${reason} ${adviceOf(nearest[0], refused)}`;
  return new AppError(409, code, message, { errors: [{ path, message: reason }], data });
}

function reasonOf({ code, row, now, timeZone, orders = 1 }: RefusedSlot): string {
  const day = row ? formatDay(row.date, wallClockIn(timeZone, now).date) : '';
  switch (code) {
    case 'DAY_CLOSED':
      return `The farm is closed on ${day}.`;
    case 'CUTOFF_PASSED':
      return row && new Date(row.startsAt) <= now
        ? 'This pickup time has begun already.'
        : `Orders for ${day} are closed.`;
    case 'SLOT_CLOSED':
      return 'This pickup time is no longer offered.';
    case 'SLOT_FULL':
      return orders === 1
        ? 'This pickup time is full.'
        : `This pickup time has no room for ${orders} orders.`;
  }
}

function adviceOf(nearest: OfferedSlot | undefined, { row, now, timeZone }: RefusedSlot): string {
  if (!nearest) return 'Choose another one, or ask the farm.';
  const day = formatDay(nearest.date, wallClockIn(timeZone, now).date);
  const times = `${formatWallTime(nearest.from)} – ${formatWallTime(nearest.to)}`;
  const isElsewhere = row !== null && nearest.place._id !== row.place.id;
  return `The nearest free one is ${day}, ${times}${isElsewhere ? `, at ${nearest.place.name}` : ''}.`;
}

import type { PickupPlace } from '#contract/farm/places/places';
import { REMAINING_SHOWN_MAX } from '#contract/farm/slots/constants';
import type { FarmSlot, OfferedSlot, SlotState } from '#contract/farm/slots/slots';
import { room } from '#contract/platform/events/constants';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import type { Place as PlaceRecord } from '../../../prisma/generated/client.ts';
import { presentAddress } from '../../people/users/present.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import { jsonFields } from '../../platform/stores/sql.ts';
import { type Load, publicRoom } from './policy.ts';

const PLACE_FIELDS = [
  ...(['id', 'name', 'street', 'city', 'state', 'zipCode', 'directions', 'phone'] as const),
];
/** A place as {@link SLOT_ROW} reads it. */
type SlotPlaceRow = Pick<PlaceRecord, (typeof PLACE_FIELDS)[number] | 'isActive'>;

const SLOT_FIELDS = ['id', 'farmId', 'date', 'startsAt', 'endsAt', 'capacity', 'taken', 'state'];
/** A slot as {@link SLOT_ROW} reads it. */
export interface SlotRow extends Load, Record<'id' | 'farmId' | 'date' | 'from' | 'to', string> {
  startsAt: string;
  endsAt: string;
  state: SlotState;
  place: SlotPlaceRow;
}

/** A slot `s` of a place `place` as one JSON value, for {@link SlotRow}. */
export const SLOT_ROW = `json_build_object(
  ${jsonFields('s', SLOT_FIELDS)}, 'from', s.from_time, 'to', s.to_time,
  'place', json_build_object(
    ${jsonFields('place', PLACE_FIELDS)}, 'isActive', place.is_active AND place.removed_at IS NULL))`;

/** Where {@link SLOT_ROW} is selected from. */
export const SLOT_SOURCE = 'slots s JOIN places place ON place.id = s.place_id';

/** Whether and until when a slot can be ordered for, as its farm's schedule says. */
export interface Closing {
  closesAt: Date;
  isDayClosed: boolean;
}

const presentTimes = (row: SlotRow, { closesAt }: Closing) => ({
  _id: row.id,
  place: {
    _id: row.place.id,
    name: row.place.name,
    address: presentAddress(row.place),
    directions: row.place.directions,
    phone: row.place.phone,
  },
  date: row.date,
  from: row.from,
  to: row.to,
  startsAt: new Date(row.startsAt).toISOString(),
  endsAt: new Date(row.endsAt).toISOString(),
  closesAt: closesAt.toISOString(),
});

/** Presents a slot as consumers see it. */
export const presentOffered = (row: SlotRow, closing: Closing): OfferedSlot => ({
  ...presentTimes(row, closing),
  ...publicRoom(row),
});

/** Presents a slot as its farm sees it. */
export const presentFarmSlot = (row: SlotRow, closing: Closing): FarmSlot => ({
  ...presentTimes(row, closing),
  state: row.state,
  taken: row.taken,
  capacity: row.capacity,
  isDayClosed: closing.isDayClosed,
});

/** Returns a slot's place as an order keeps it, and on one line. */
export function presentPickupPlace(place: SlotPlaceRow): PickupPlace & { location: string } {
  const { name, directions } = place;
  const address = presentAddress(place);
  return { name, address, directions, location: `${name}, ${formatAddress(address)}` };
}

/** The event of a slot's new room or state. Those who watch the farm get no exact numbers. */
export const slotUpdated = (
  slot: Load & { id: string; farmId: string; state: SlotState },
): Extract<NewEvent, { name: 'slot.updated' }> => ({
  name: 'slot.updated',
  data: {
    _id: slot.id,
    farmId: slot.farmId,
    ...publicRoom(slot),
    taken: slot.taken,
    capacity: slot.capacity,
  },
  rooms: [room.farm(slot.farmId), room.farmWatchers(slot.farmId)],
});

/**
 * What a statement puts into an event of {@link slotUpdated}: the room that the statement itself has left in
 * the slot `slot`. It is {@link publicRoom} in SQL, and a test holds both equal.
 */
export const slotLoad = (slot: string): string => `jsonb_build_object(
  'taken', ${slot}.taken, 'capacity', ${slot}.capacity, 'state', ${slot}.state,
  'hasLimit', ${slot}.capacity IS NOT NULL,
  'remaining', CASE WHEN ${slot}.capacity - ${slot}.taken <= ${REMAINING_SHOWN_MAX}
    THEN greatest(${slot}.capacity - ${slot}.taken, 0) END)`;

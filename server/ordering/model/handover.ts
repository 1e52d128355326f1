import type { PlaceOrder } from '#contract/ordering/orders/orders';
import type { Appointment } from '#contract/ordering/orders/pickup';
import { presentPickupPlace, type SlotRow } from '../../farm/slots/present.ts';
import type { OrderRow } from './present.ts';

/** The columns of an order that say when and where it is handed over. */
export type Handover = Pick<
  OrderRow,
  | 'date'
  | 'time'
  | 'startsAt'
  | 'endsAt'
  | 'slotId'
  | 'placeId'
  | 'endTime'
  | 'placeName'
  | 'placeDirections'
  | 'pickupLocation'
  | 'street'
  | 'city'
  | 'state'
  | 'zipCode'
>;

const NO_SLOT = {
  endsAt: null,
  slotId: null,
  placeId: null,
  endTime: null,
  placeName: '',
  placeDirections: '',
};

/** Returns the handover in a slot: the order's own copy of its times and place. */
export function handoverIn(slot: SlotRow): Handover {
  const { name, address, directions, location } = presentPickupPlace(slot.place);
  return {
    date: slot.date,
    time: slot.from,
    startsAt: new Date(slot.startsAt).toISOString(),
    endsAt: new Date(slot.endsAt).toISOString(),
    slotId: slot.id,
    placeId: slot.place.id,
    endTime: slot.to,
    placeName: name,
    placeDirections: directions,
    pickupLocation: location,
    ...address,
  };
}

/** Returns the handover that an order without a slot asks for. */
export function freeHandover(
  { pickupDetails: pickup, deliveryDetails: delivery }: PlaceOrder,
  startsAt: Date,
): Handover {
  const details = pickup ?? delivery;
  if (!details || 'slotId' in details) throw new Error('The order has neither a slot nor a moment');
  const location = pickup && 'location' in pickup ? pickup.location : '';
  return {
    ...NO_SLOT,
    date: details.date,
    time: details.time,
    startsAt: startsAt.toISOString(),
    pickupLocation: location,
    ...(delivery?.address ?? { street: '', city: '', state: '', zipCode: '' }),
  };
}

/** Returns an order's day `YYYY-MM-DD`, from wherever it was read. */
export const dayOf = ({ date }: Pick<OrderRow, 'date'>): string =>
  typeof date === 'string' ? date : date.toISOString().slice(0, 10);

/** Returns date, time and place of a handover, as the timeline has them. */
export const appointmentOf = (row: Handover): Appointment => ({
  date: dayOf(row),
  time: row.time,
  ...(row.endTime === null ? {} : { endTime: row.endTime }),
  location: row.pickupLocation,
});

import { PickupPlace } from '#contract/farm/places/places';
import {
  Address,
  Day,
  Id,
  Instant,
  named,
  requiredText,
  text,
  WallDate,
  WallEnd,
  WallTime,
  type Words,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

// How an order is picked up: in a slot of one of the farm's places, or, at a farm without places, at a day,
// time and place of the consumer's words.

const LOCATION_MAX = 200;
const noLocation = () => t('Pickup location is required');

/** A pickup at a farm without places. */
export const FreePickup = z.object({
  date: WallDate,
  time: WallTime,
  location: requiredText(LOCATION_MAX, noLocation),
});
export type FreePickup = z.infer<typeof FreePickup>;

/** A pickup in a slot of one of the farm's places. */
export const SlotPickup = z.object({ slotId: Id });
export type SlotPickup = z.infer<typeof SlotPickup>;

interface Fields {
  slotId?: string | undefined;
  date?: string | undefined;
  time?: string | undefined;
  location?: string | undefined;
}

/** Requires a field where there is no slot, and reports it beside all other problems. */
const unlessSlot = (field: 'date' | 'time' | 'location') => (fields: Fields) =>
  Boolean(fields.slotId ?? fields[field]);
const refusal = (field: string, error: Words) => ({
  path: [field],
  error,
  // Other fields may be wrong as well; that it is no object at all is reported already.
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
});

/** The slot, or, without one, a free day, time and place. With a slot the other fields are ignored. */
export const PickupChoice = z
  .object({
    slotId: Id.optional(),
    date: Day.optional(),
    time: WallTime.optional(),
    location: text(LOCATION_MAX, noLocation).optional(),
  })
  .refine(
    unlessSlot('date'),
    refusal('date', () => t('Enter a date as YYYY-MM-DD.')),
  )
  .refine(
    unlessSlot('time'),
    refusal('time', () => t('Enter a time as HH:mm.')),
  )
  .refine(unlessSlot('location'), refusal('location', noLocation))
  .transform(({ slotId, date = '', time = '', location = '' }): SlotPickup | FreePickup =>
    slotId === undefined ? { date, time, location } : { slotId },
  );

export const PickupDetails = named('PickupDetails', {
  date: WallDate,
  time: WallTime,
  /** When the slot ends; absent without a slot, like what follows. */
  endTime: WallEnd.optional(),
  /** Where, on one line: with a slot the place's name and address. */
  location: z.string(),
  slotId: Id.optional(),
  /** The place of the slot, as long as there is one. */
  placeId: Id.optional(),
  place: PickupPlace.optional(),
});
export type PickupDetails = z.infer<typeof PickupDetails>;

/** Date, time and place of a handover, as an order had them. */
export const Appointment = named('Appointment', {
  date: WallDate,
  time: WallTime,
  endTime: WallEnd.optional(),
  location: z.string(),
});
export type Appointment = z.infer<typeof Appointment>;

/** How the handover of an order moved. */
export const slotChangeFields = {
  /** The instants at which it starts. */
  from: Instant,
  to: Instant,
  /** Absent where date and time stayed, and only the farm's time zone changed. */
  before: Appointment.optional(),
  after: Appointment.optional(),
};

/** The data of a refusal with `OUT_OF_AREA`: where the order can be picked up instead, if the farm has places. */
export const PickupInstead = z.object({
  places: z.array(z.object({ _id: Id, name: z.string(), address: Address })),
});
export type PickupInstead = z.infer<typeof PickupInstead>;

import { WEEKDAYS } from '#contract/farm/farmers/constants';
import {
  placesApi as calls,
  DIRECTIONS_MAX,
  PLACE_HOURS_MAX,
  PLACE_NAME_MAX,
  SLOT_MINUTES_MAX,
  SLOT_MINUTES_MIN,
  SLOTS_PER_DAY_MAX,
} from '#contract/farm/places/constants';
import { toKeptPosition } from '#contract/farm/places/constants/positions';
import { SLOT_CAPACITY_MAX } from '#contract/farm/slots/constants';
import { event } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Address,
  ExpectedVersion,
  Id,
  idParams,
  named,
  one,
  oneLine,
  RequiredAddress,
  text,
  WallEnd,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { mayMeetOrders } from '#contract/platform/orders/closing';
import { t } from '#contract/platform/text/constants/texts';
import { minutesOf } from '#contract/platform/time/constants/clock';

const degrees = (most: number, error: () => string) =>
  z.number({ error }).min(-most, { error }).max(most, { error });

/** A point on the earth, in degrees with at most five decimals, which is about a metre. */
export const Position = named('Position', {
  latitude: degrees(90, () => t('A latitude is a number from -90 to 90.')),
  longitude: degrees(180, () => t('A longitude is a number from -180 to 180.')),
});
export type Position = z.infer<typeof Position>;

/** A position as it is written: further decimals are rounded off; null takes it away. */
export const EnteredPosition = Position.transform(toKeptPosition).nullable();

/** Hours of a weekday at a place, cut into slots: by the farm's clock. */
export const PlaceHours = named('PlaceHours', {
  weekday: z.enum(WEEKDAYS),
  from: WallTime,
  to: WallEnd,
  slotMinutes: z
    .number()
    .int({ error: () => t('Enter whole minutes.') })
    .min(SLOT_MINUTES_MIN, {
      error: () => t('A slot has at least {min} minutes.', { min: SLOT_MINUTES_MIN }),
    })
    .max(SLOT_MINUTES_MAX, {
      error: () => t('A slot has at most {max} hours.', { max: SLOT_MINUTES_MAX / 60 }),
    }),
  /** How many orders a slot takes; null for any number. */
  capacity: z
    .int({ error: () => t('Enter a whole number of orders.') })
    .min(1, { error: () => t('A slot has room for at least one order.') })
    .max(SLOT_CAPACITY_MAX, {
      error: () => t('A slot has room for at most {max} orders.', { max: SLOT_CAPACITY_MAX }),
    })
    .nullable()
    .default(null),
});
export type PlaceHours = z.infer<typeof PlaceHours>;

/** Where consumers pick up what they ordered. */
export const Place = named('Place', {
  _id: Id,
  name: z.string(),
  address: Address,
  /** How to find it, and what to do there. */
  directions: z.string(),
  phone: z.string(),
  /** Null where the farm gives none; absent only in answers of an older server. */
  position: Position.nullable().optional(),
  /** A place that is not active offers nothing. */
  isActive: z.boolean(),
  /** By weekday and time. */
  hours: z.array(PlaceHours),
  version: z.int(),
});
export type Place = z.infer<typeof Place>;

const slotCount = ({ from, to, slotMinutes }: PlaceHours): number =>
  Math.max(0, minutesOf(to) - minutesOf(from)) / slotMinutes;

/** Hours of one place: each a whole number of slots within one day, none over another. */
const Hours = z
  .array(PlaceHours)
  .max(PLACE_HOURS_MAX, {
    error: () => t('A place has at most {max} ranges of hours.', { max: PLACE_HOURS_MAX }),
  })
  .superRefine((hours, context) => {
    const refuse = (index: number, field: keyof PlaceHours, message: string) =>
      context.addIssue({ code: 'custom', path: [index, field], message });
    for (const [index, { weekday, from, to, slotMinutes }] of hours.entries()) {
      const minutes = minutesOf(to) - minutesOf(from);
      if (minutes <= 0) {
        refuse(index, 'to', t('The end must be after the start, on the same day.'));
      } else if (minutes % slotMinutes !== 0) {
        refuse(
          index,
          'slotMinutes',
          t("{minutes} minutes don't divide these hours evenly.", { minutes: slotMinutes }),
        );
      }
      const isOver = hours
        .slice(0, index)
        .some((other) => other.weekday === weekday && other.from < to && from < other.to);
      if (isOver) refuse(index, 'from', t('These hours overlap with others of this day.'));
      const slots = hours
        .slice(0, index + 1)
        .filter((other) => other.weekday === weekday)
        .reduce((sum, each) => sum + slotCount(each), 0);
      if (slots > SLOTS_PER_DAY_MAX) {
        refuse(
          index,
          'slotMinutes',
          t('A day of one place has at most {max} slots.', { max: SLOTS_PER_DAY_MAX }),
        );
      }
    }
  });

const fields = {
  name: oneLine(PLACE_NAME_MAX, () => t('Name is required')),
  address: RequiredAddress,
  directions: text(DIRECTIONS_MAX),
  phone: text(40),
  position: EnteredPosition,
  isActive: z.boolean(),
  hours: Hours,
};

export const CreatePlace = z.object({
  ...fields,
  directions: fields.directions.default(''),
  phone: fields.phone.default(''),
  position: fields.position.default(null),
  isActive: fields.isActive.default(true),
  hours: Hours.default([]),
});
export type CreatePlace = z.infer<typeof CreatePlace>;

/** Omitted fields keep their values; hours are replaced as a whole. */
export const UpdatePlace = z.object(fields).partial().extend({ expectedVersion: ExpectedVersion });
export type UpdatePlace = z.infer<typeof UpdatePlace>;

const placeParams = idParams(() => t('Place not found'));

export const placeEvents = {
  'place.changed': event({
    data: z.object({ _id: Id, farmId: Id }),
    summary: 'A pickup place was added, changed or removed, or its slots were rebuilt.',
    audience: 'Its farm, and those who watch the farm and may see what it offers.',
    rooms: [['farm', 'farmWatchers']],
    // No cached answer shows slots. Where what everyone sees of the places changes, a `farmer.updated` comes too.
  }),
};

export const placesApi = endpoints(calls, {
  list: {
    summary: 'The pickup places of the farm, by name',
    ...forFarm('read'),
    answer: one(z.array(Place)),
  },
  create: {
    summary: 'Add a pickup place; its slots are made for 92 days ahead',
    ...forFarm('changeFarm'),
    body: CreatePlace,
    answer: one(Place),
    status: 201,
  },
  update: {
    summary: 'Change a pickup place; new hours leave slots with orders as they are',
    ...forFarm('changeFarm'),
    params: placeParams,
    body: UpdatePlace,
    ...mayMeetOrders(Place),
  },
  remove: {
    summary: 'Remove a pickup place that has no open orders ahead',
    ...forFarm('changeFarm'),
    params: placeParams,
  },
});

/** A place as an order keeps it: as it was when the slot was chosen. */
export const PickupPlace = named('PickupPlace', {
  name: z.string(),
  address: Address,
  directions: z.string(),
});

export type PickupPlace = z.infer<typeof PickupPlace>;

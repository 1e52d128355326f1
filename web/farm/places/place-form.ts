import { type Weekday, weekdays } from '#contract/farm/farmers/constants';
import { placesApi } from '#contract/farm/places/constants';
import {
  CreatePlace,
  type Place,
  type PlaceHours,
  type UpdatePlace,
} from '#contract/farm/places/places';
import type { User } from '#contract/people/users/users';
import type { z } from '#contract/platform/http/zod';
import { listOf } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { closingOf, minutesOf } from '#contract/platform/time/constants/clock';
import { call } from '../../platform/api/api.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { formatDays, formatHours } from '../model/handoff.ts';
import { placesQuery } from './queries.ts';

/** The lengths of slots that are offered, as far as they divide the hours. */
const SLOT_MINUTES = [10, 15, 20, 30, 45, 60, 90, 120, 180, 240] as const;
/** What hours begin with where there are none to copy. */
const FIRST_HOURS = { from: '09:00', to: '12:00', slotMinutes: 30, capacity: null };

/** The schema of the form: as on the server, with every field there. */
export const PlaceInput = CreatePlace.required({
  directions: true,
  phone: true,
  isActive: true,
  hours: true,
});
export type PlaceInput = z.output<typeof PlaceInput>;

/** Hours as they stand in the form: without a limit the capacity is null or left out. */
export type HoursInput = z.input<typeof PlaceHours>;

/** Returns the form's values of a place. */
export const toPlaceInput = ({ _id, version: _, ...values }: Place): PlaceInput =>
  structuredClone(values);

/** Returns the values of a new place; the first one of a farm is probably the farm itself. */
export const newPlace = (address: User['address'] | null): PlaceInput => ({
  name: '',
  address: { street: '', city: '', state: '', zipCode: '', ...address },
  directions: '',
  phone: '',
  isActive: true,
  hours: [],
});

/** Returns the hours to begin with on a weekday: a copy of the last ones that were entered. */
export const nextHours = (hours: readonly HoursInput[], weekday: Weekday): HoursInput => ({
  ...FIRST_HOURS,
  ...hours.at(-1),
  weekday,
});

/** Returns the minutes from one time to another; NaN while one is missing. */
const lengthOf = ({ from, to }: Pick<PlaceHours, 'from' | 'to'>): number =>
  from && to ? minutesOf(to) - minutesOf(from) : Number.NaN;

/** Formats minutes: '30 minutes', '1 hour', '1 h 30 min'. */
export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return t('{minutes, plural, one {# minute} other {# minutes}}', { minutes });
  return rest === 0
    ? t('{hours, plural, one {# hour} other {# hours}}', { hours })
    : t('{hours} h {minutes} min', { hours, minutes: rest });
}

/** Returns the lengths of slots to choose from: those that divide the hours, and the present one. */
export function slotLengths(hours: Pick<PlaceHours, 'from' | 'to' | 'slotMinutes'>): number[] {
  const length = lengthOf(hours);
  const fitting =
    length > 0
      ? [...SLOT_MINUTES.filter((minutes) => length % minutes === 0), length]
      : SLOT_MINUTES;
  return [...new Set([...fitting, hours.slotMinutes])].sort((a, b) => a - b);
}

/** Says what the hours make: '6 slots, 30 orders in all'. Undefined while they make none. */
export function formatSlots({
  from,
  to,
  slotMinutes,
  capacity = null,
}: Omit<HoursInput, 'weekday'>): string | undefined {
  const count = lengthOf({ from, to }) / slotMinutes;
  if (!Number.isInteger(count) || count < 1) return undefined;
  if (capacity === null || Number.isNaN(capacity))
    return t('{slots, plural, one {# slot} other {# slots}}, any number of orders', {
      slots: count,
    });
  return t(
    '{slots, plural, one {# slot} other {# slots}}, {orders, plural, one {# order} other {# orders}} in all',
    { slots: count, orders: count * capacity },
  );
}

/** Returns the hours of a week in one line: 'Tue, Thu 3–6 PM; Sat 8–10 AM and 2–4 PM'. Empty for none. */
export function hoursLine(hours: readonly PlaceHours[]): string {
  const daysByRanges = new Map<string, Weekday[]>();
  for (const weekday of weekdays()) {
    const ranges = hours
      .filter((range) => range.weekday === weekday)
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map(({ from, to }) => isolate(formatHours({ open: from, close: closingOf(to) })));
    const text = listOf(ranges);
    if (text !== '') daysByRanges.set(text, [...(daysByRanges.get(text) ?? []), weekday]);
  }
  return [...daysByRanges]
    .map(([text, days]) => `${days.length === 7 ? t('Every day') : formatDays(days)} ${text}`)
    .join('; ');
}

/** Adds a pickup place. */
export const useCreatePlace = () =>
  useCommand((body: CreatePlace) => call(placesApi.create, { body }), {
    refetches: placesQuery().queryKey,
    done: ({ data }) => t('{name} was added.', { name: data.name }),
    onError: toastErrorOfEdit,
  });

/** Changes a pickup place. */
export const useUpdatePlace = () =>
  useCommand(
    ({ place, change }: { place: Place; change: UpdatePlace }) =>
      call(placesApi.update, { params: { id: place._id }, body: change }),
    {
      refetches: placesQuery().queryKey,
      done: ({ data }) => t('{name} was saved.', { name: data.name }),
      onError: toastErrorOfEdit,
    },
  );

/** Removes a pickup place. */
export const useRemovePlace = () =>
  useCommand(({ _id }: Place) => call(placesApi.remove, { params: { id: _id } }), {
    refetches: placesQuery().queryKey,
    done: (_, { name }) => t('{name} was removed.', { name }),
    onError: shownByForm,
  });

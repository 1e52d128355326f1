import { type Weekday, weekdays } from '#contract/farm/farmers/constants';
import type { BusinessHours } from '#contract/farm/farmers/farmers';
import { placesApi } from '#contract/farm/places/constants';
import {
  CreatePlace,
  type Place,
  type PlaceHours,
  type UpdatePlace,
} from '#contract/farm/places/places';
import type { User } from '#contract/people/users/users';
import { z } from '#contract/platform/http/zod';
import { listOf } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { closingOf, minutesOf } from '#contract/platform/time/constants/clock';
import { call } from '../../platform/api/api.ts';
import {
  toastErrorOfClosing,
  useClosingQuestion,
} from '../../platform/queries/closing-question.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { formatDays, formatHours } from '../model/handoff.ts';
import { hoursOf, toWeek, type Week, weekOfBusiness } from '../model/week-hours.ts';
import { placesQuery } from './queries.ts';

/** The lengths of slots that are offered, as far as they divide the hours. */
const SLOT_MINUTES = [10, 15, 20, 30, 45, 60, 90, 120, 180, 240] as const;
/** The lengths of slots that are proposed, the best one first. */
const FIRST_SLOT_MINUTES = [30, 60, 20, 15, 45] as const;
/** What hours begin with where there are none to copy. */
export const FIRST_HOURS: HoursInput = {
  from: '09:00',
  to: '12:00',
  slotMinutes: 30,
  capacity: null,
};

/** Hours as they stand in the form: without a limit the capacity is null or left out. */
export type HoursInput = Omit<z.input<typeof PlaceHours>, 'weekday'>;

/** The schema of the form: as on the server, with every field there, and the hours of each day a field of its own. */
export const PlaceInput = CreatePlace.required({
  directions: true,
  phone: true,
  position: true,
  isActive: true,
}).extend({
  hours: z.custom<Week<HoursInput>>().superRefine((week, context) => {
    const hours = hoursOf(week);
    for (const { path, message } of CreatePlace.shape.hours.safeParse(hours).error?.issues ?? []) {
      const [index, ...field] = path;
      const weekday = hours[Number(index)]?.weekday;
      const before = hours.findIndex((each) => each.weekday === weekday);
      context.addIssue({
        code: 'custom',
        path: weekday ? [weekday, Number(index) - before, ...field] : [],
        message,
      });
    }
  }),
});
export type PlaceInput = z.output<typeof PlaceInput>;

/** Returns the form's values of a place. */
export const toPlaceInput = ({ _id, version: _, hours, ...values }: Place): PlaceInput =>
  structuredClone({ ...values, position: values.position ?? null, hours: toWeek(hours) });

/** Returns what is sent of a place. */
export const toPlaceFields = ({ hours, ...values }: PlaceInput): CreatePlace => ({
  ...values,
  hours: CreatePlace.shape.hours.parse(hoursOf(hours)),
});

/** What the first place of a farm begins with: it is probably the farm itself, at its own hours. */
export type FirstPlace = { address: User['address']; businessHours: BusinessHours };

/** Returns the values of a new place. */
export const newPlace = (first: FirstPlace | undefined): PlaceInput => ({
  name: first ? t('Farm gate') : '',
  address: { street: '', city: '', state: '', zipCode: '', ...first?.address },
  directions: '',
  phone: '',
  position: null,
  isActive: true,
  hours: first ? hoursOfFarm(first.businessHours) : toWeek<HoursInput & { weekday: Weekday }>([]),
});

/** Returns a farm's own hours as those of a place, but for what goes on after midnight or cannot be cut into slots. */
function hoursOfFarm(businessHours: BusinessHours): Week<HoursInput> {
  const hours = hoursOf(weekOfBusiness(businessHours)).flatMap(({ weekday, from, to }) => {
    const range = { weekday, from, to: to === '00:00' ? '24:00' : to, capacity: null };
    const slotMinutes = FIRST_SLOT_MINUTES.find((minutes) => lengthOf(range) % minutes === 0);
    return slotMinutes && lengthOf(range) > 0 ? [{ ...range, slotMinutes }] : [];
  });
  return toWeek(hours);
}

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
}: HoursInput): string | undefined {
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
export function useUpdatePlace() {
  const save = useClosingQuestion();
  return useCommand(
    ({ place, change }: { place: Place; change: UpdatePlace }) =>
      save((query) => call(placesApi.update, { params: { id: place._id }, query, body: change })),
    {
      refetches: placesQuery().queryKey,
      done: ({ data }) => t('{name} was saved.', { name: data.name }),
      onError: toastErrorOfClosing,
    },
  );
}

/** Removes a pickup place. */
export const useRemovePlace = () =>
  useCommand(({ _id }: Place) => call(placesApi.remove, { params: { id: _id } }), {
    refetches: placesQuery().queryKey,
    done: (_, { name }) => t('{name} was removed.', { name }),
    onError: shownByForm,
  });

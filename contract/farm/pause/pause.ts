import { pauseApi as calls, PAUSE_NOTE_MAX } from '#contract/farm/pause/constants';
import { Person } from '#contract/people/users/users';
import { event } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import { Id, Instant, named, one, text, WallDate, WallTime } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** What everyone sees of a pause. */
export const pauseFields = {
  /** Until when the farm takes no orders; null or absent while it takes them. */
  pausedUntil: Instant.nullable().optional(),
  /** What the farm says to its customers meanwhile; null or absent without a note. */
  pauseNote: z.string().nullable().optional(),
};

/** Whether a farm takes orders, as its people see it. */
export const FarmPause = named('FarmPause', {
  /** Until when it takes none; null while it takes orders. */
  pausedUntil: Instant.nullable(),
  pauseNote: z.string().nullable(),
  /** Since when; null while it takes orders. */
  pausedAt: Instant.nullable(),
  /** Who paused it; null where the market did so by itself, because nobody answered. */
  pausedBy: Person.nullable(),
  /** The farm's, by whose clock its people think of it. */
  timeZone: z.string(),
});
export type FarmPause = z.infer<typeof FarmPause>;

const noEnd = { error: () => t('Choose until when the farm takes no orders.') };

export const PauseFarm = z.object({
  /**
   * An instant, or a day and time of the farm's clock, without a time the start of the day. Without it the pause ends
   * when the farm opens next, or after 24 hours where it lists no hours.
   */
  until: z
    .union([Instant, z.object({ date: WallDate, time: WallTime.optional() })], noEnd)
    .nullable()
    .optional(),
  note: text(PAUSE_NOTE_MAX).nullable().optional(),
});
export type PauseFarm = z.infer<typeof PauseFarm>;

export const pauseEvents = {
  // What customers see of it comes with `farmer.updated`, as for every pause.
  'farm.paused': event({
    data: z.object({ _id: Id, until: Instant, timeZone: z.string() }),
    summary: 'The market paused a farm by itself, because nobody there answered its orders.',
    audience: 'The farm and admins.',
    rooms: [['farm', 'admins']],
  }),
};

export const pauseApi = endpoints(calls, {
  read: {
    summary: "Whether the caller's farm takes orders",
    ...forFarm('read'),
    answer: one(FarmPause),
    failures: [404],
  },
  pause: {
    summary: "Let the caller's farm take no orders for a while, or change until when",
    ...forFarm('changeFarm'),
    body: PauseFarm,
    answer: one(FarmPause),
    failures: [404],
  },
  resume: {
    summary: "Let the caller's farm take orders again",
    ...forFarm('changeFarm'),
    answer: one(FarmPause),
    failures: [404],
  },
});

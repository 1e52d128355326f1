import { group } from 'd3-array';
import {
  ADMINS_AFTER_MINUTES,
  type AttentionState,
  DEFAULT_PLAN,
  type EscalationPlan,
  type EscalationStep,
  GENTLE_STEPS,
} from '#contract/ordering/attention/constants';
import type { AttentionKind } from '#contract/people/notifications/constants';

// What an attention does at a time. Nothing here reads or writes.

const MINUTE_MS = 60_000;

/** Where an attention stands. */
export interface Course {
  state: AttentionState;
  /** The step of this round that ran last, from 1; 0 before the first. */
  step: number;
  /** How often its plan has begun. */
  round: number;
  /** When this round began. */
  roundAt: Date;
  /** When the next step is due, or "I'm on it" ends; null where nothing follows. */
  nextAt: Date | null;
  /** When its first step ran. */
  begunAt: Date | null;
  acknowledgedAt: Date | null;
  exhaustedAt: Date | null;
  adminsAt: Date | null;
  resolvedAt: Date | null;
  resolution: string | null;
}

/** What the course depends on. */
export interface Circumstances {
  now: Date;
  /** Why its subject needs nobody any more, such as the status of its order; null while it does. */
  overBy: string | null;
  /** When it is over by itself, such as the end of a handover; null for never. */
  endsAt: Date | null;
  /** Returns until when nobody is told outside the app at a time; null where they are. */
  silentUntil: (at: Date) => Date | null;
}

export interface Turn {
  course: Course;
  /** What runs now: the parts of one step; none where nobody is told. */
  run: readonly EscalationStep[];
  /** When its timer is due next; null for never. */
  timerAt: Date | null;
}

/** Returns the steps of a plan: parts of the same time are one. */
export const stepsOf = ({ steps }: Pick<EscalationPlan, 'steps'>): EscalationStep[][] => {
  const inOrder = [...steps].sort((one, other) => one.afterSeconds - other.afterSeconds);
  return [...group(inOrder, ({ afterSeconds }) => afterSeconds).values()];
};

/**
 * Returns the plan by which a farm is told of a kind, by what it has changed of the market's. Only that of new orders is
 * its own; of the others it is how long "I'm on it" holds, and when it is quiet.
 */
export function planOf(kind: AttentionKind, escalation: Partial<EscalationPlan>): EscalationPlan {
  const { steps, rounds, quietHours, ackMinutes, pauseAfter } = { ...DEFAULT_PLAN, ...escalation };
  return kind === 'order.placed'
    ? { steps, rounds, quietHours, ackMinutes, pauseAfter }
    : { steps: GENTLE_STEPS, rounds: 1, quietHours, ackMinutes, pauseAfter: null };
}

/** What a customer is asked only shows whether they have seen it. */
export const WITHOUT_STEPS: EscalationPlan = {
  ...DEFAULT_PLAN,
  steps: [],
  rounds: 1,
  quietHours: null,
};

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
/** Returns the earliest of these times; null where there is none. */
const first = (...times: (Date | null)[]): Date | null => {
  const [earliest = null] = times
    .filter((time) => time !== null)
    .sort((one, other) => one.getTime() - other.getTime());
  return earliest;
};

/**
 * Returns until when nobody is told: where the farm is on holiday or within its quiet hours, to the end of both. Where
 * one of the deadlines that are still ahead comes before that, people are told at once.
 */
export function silenceAt(
  at: Date,
  {
    holidayUntil,
    quietUntil,
    deadlines,
  }: {
    holidayUntil: Date | null;
    quietUntil: (at: Date) => Date | null;
    deadlines: readonly Date[];
  },
): Date | null {
  const holidayEnd = holidayUntil && holidayUntil > at ? holidayUntil : null;
  const end = quietUntil(holidayEnd ?? at) ?? holidayEnd;
  if (!end) return null;
  return deadlines.some((deadline) => deadline > at && deadline < end) ? null : end;
}

/**
 * Decides what an attention does now.
 *
 * - The parts of one time are one step. Of steps that are late only the latest runs, and the rest of the round comes so
 *   much later, so that no burst follows however long nobody looked.
 * - A step that is due in a silence waits for its end, and the rest of the round with it.
 * - After the last step the next round begins when {@link roundMs} is over, as often as the plan says; as the last step
 *   of the last round has run, it is exhausted.
 * - "I'm on it" holds for so long as the plan says. After that it waits again, at the first step of another round.
 * - Where nobody has said so {@link ADMINS_AFTER_MINUTES} after it began, it stands in the admins' feed.
 */
export function turnOf(before: Course, plan: EscalationPlan, around: Circumstances): Turn {
  const { now, overBy, endsAt } = around;
  if (before.state === 'resolved') return { course: before, run: [], timerAt: null };
  const over = overBy ?? (endsAt && endsAt <= now ? 'over' : null);
  if (over) return { course: resolvedCourse(before, over, now), run: [], timerAt: null };
  const { course, run } = advance(before, plan, around);
  const adminsDue = adminsDueAt(course);
  const told = adminsDue && adminsDue <= now ? { ...course, adminsAt: now } : course;
  return { course: told, run, timerAt: first(told.nextAt, adminsDueAt(told), endsAt) };
}

/** Returns an attention as it is once somebody is on it; nothing where nobody is asked any more. */
export const acknowledgedCourse = (
  course: Course,
  { ackMinutes }: EscalationPlan,
  now: Date,
): Course | undefined =>
  course.state === 'waiting' || course.state === 'exhausted'
    ? {
        ...course,
        state: 'acknowledged',
        acknowledgedAt: now,
        nextAt: later(now, ackMinutes * MINUTE_MS),
      }
    : undefined;

/** Returns an attention whose next step, which a silence has put off, is due now, and the rest of its round after it. */
export const wokenCourse = (course: Course, now: Date): Course =>
  course.nextAt && course.nextAt > now
    ? {
        ...course,
        roundAt: later(course.roundAt, now.getTime() - course.nextAt.getTime()),
        nextAt: now,
      }
    : course;

/** Returns an attention as it is once its subject is done. */
export const resolvedCourse = (course: Course, resolution: string, now: Date): Course => ({
  ...course,
  state: 'resolved',
  nextAt: null,
  resolvedAt: now,
  resolution,
});

/** Returns when an attention comes into the admins' feed; null where it does not, or is there. */
function adminsDueAt({ state, begunAt, adminsAt, acknowledgedAt }: Course): Date | null {
  const isUnanswered = state !== 'resolved' && acknowledgedAt === null;
  return isUnanswered && begunAt && !adminsAt
    ? later(begunAt, ADMINS_AFTER_MINUTES * MINUTE_MS)
    : null;
}

/** How long after its beginning a round is followed by the next one, in milliseconds. */
const roundMs = ({ steps, ackMinutes }: EscalationPlan): number =>
  Math.max(
    ackMinutes * MINUTE_MS,
    Math.max(0, ...steps.map(({ afterSeconds }) => afterSeconds)) * 1000 + MINUTE_MS,
  );

function advance(
  before: Course,
  plan: EscalationPlan,
  { now, silentUntil }: Circumstances,
): Pick<Turn, 'course' | 'run'> {
  if (before.state === 'exhausted' || plan.steps.length === 0) {
    return { course: { ...before, nextAt: null }, run: [] };
  }
  let course = before;
  if (course.state === 'acknowledged') {
    const until = later(course.acknowledgedAt ?? now, plan.ackMinutes * MINUTE_MS);
    if (now < until) return { course: { ...course, nextAt: until }, run: [] };
    if (course.round >= plan.rounds) return { course: exhaustedCourse(course, now), run: [] };
    course = nextRound({ ...course, state: 'waiting' }, until);
  }
  const steps = stepsOf(plan);
  if (course.step >= steps.length) {
    const begins = later(course.roundAt, roundMs(plan));
    if (now < begins) return { course: { ...course, nextAt: begins }, run: [] };
    course = nextRound(course, begins);
  }
  course = withoutSilence(course, steps, now, silentUntil);
  const due = steps.findLastIndex(
    (step, index) => index >= course.step && dueAt(course, step) <= now,
  );
  const run = steps[due];
  if (!run) return { course, run: [] };
  course = {
    ...course,
    step: due + 1,
    roundAt: later(now, -afterMs(run)),
    begunAt: course.begunAt ?? now,
  };
  if (course.step < steps.length) {
    return { course: withoutSilence(course, steps, now, silentUntil), run };
  }
  if (course.round >= plan.rounds) return { course: exhaustedCourse(course, now), run };
  return { course: { ...course, nextAt: later(course.roundAt, roundMs(plan)) }, run };
}

const nextRound = (course: Course, roundAt: Date): Course => ({
  ...course,
  step: 0,
  round: course.round + 1,
  roundAt,
});

const exhaustedCourse = (course: Course, now: Date): Course => ({
  ...course,
  state: 'exhausted',
  nextAt: null,
  exhaustedAt: now,
});

const afterMs = ([part]: readonly EscalationStep[]): number => (part?.afterSeconds ?? 0) * 1000;
const dueAt = ({ roundAt }: Course, step: readonly EscalationStep[]): Date =>
  later(roundAt, afterMs(step));

/** Moves the rest of a round behind the silence into which its next step falls. */
function withoutSilence(
  course: Course,
  steps: readonly EscalationStep[][],
  now: Date,
  silentUntil: Circumstances['silentUntil'],
): Course {
  const step = steps[course.step] ?? [];
  const next = dueAt(course, step);
  const end = silentUntil(next > now ? next : now);
  return end
    ? { ...course, roundAt: later(end, -afterMs(step)), nextAt: end }
    : { ...course, nextAt: next };
}

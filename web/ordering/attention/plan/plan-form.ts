import { DEFAULT_QUIET_HOURS } from '#contract/farm/escalation/constants/quiet';
import {
  EscalationStep as ContractStep,
  type FarmEscalation,
  QuietHours,
  type UpdateFarmEscalation,
  whole,
} from '#contract/ordering/attention/attention';
import {
  type EscalationStep,
  ESCALATION_LIMITS as LIMITS,
  STEP_RECEIVERS,
  SUGGESTED_PAUSE_AFTER,
} from '#contract/ordering/attention/constants';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, dayIn, wallClockIn } from '#contract/platform/time/constants';

const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3600 } as const;
export const TIME_UNITS = [
  'seconds',
  'minutes',
  'hours',
] as const satisfies readonly (keyof typeof UNIT_SECONDS)[];
export type TimeUnit = (typeof TIME_UNITS)[number];

/** How a step names one person: `user:` and their id. */
export const PERSON_PREFIX = 'user:';

const StepInput = z
  .object({
    after: whole(LIMITS.afterSeconds, 0),
    unit: z.enum(TIME_UNITS),
    /** {@link STEP_RECEIVERS}, or one person. */
    who: z.string(),
    channels: ContractStep.shape.channels,
  })
  .refine(({ after, unit }) => after * UNIT_SECONDS[unit] <= LIMITS.afterSeconds, {
    path: ['after'],
    error: () => t('A step comes within a month.'),
  });
type StepInput = z.infer<typeof StepInput>;

export const PlanInput = z
  .object({
    steps: z
      .array(StepInput)
      .min(1, { error: () => t('Add at least one step.') })
      .max(LIMITS.steps, {
        error: () => t('A plan has at most {max} steps.', { max: LIMITS.steps }),
      }),
    rounds: whole(LIMITS.rounds, 1),
    ackMinutes: whole(LIMITS.ackMinutes, 1),
    isQuiet: z.boolean(),
    quietFrom: z.string(),
    quietTo: z.string(),
    pauses: z.boolean(),
    pauseAfter: z.number(),
    /** The day on which the farm is back; empty while it is there. */
    backOn: z.union([z.literal(''), z.iso.date()]),
  })
  .superRefine((input, context) => {
    const { pauses, pauseAfter, isQuiet, quietFrom, quietTo } = input;
    const pause = pauses ? whole(LIMITS.pauseAfter, 1).safeParse(pauseAfter) : undefined;
    const quiet = isQuiet ? QuietHours.safeParse({ from: quietFrom, to: quietTo }) : undefined;
    const add = (path: 'pauseAfter' | 'quietFrom' | 'quietTo', message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    for (const { message } of pause?.error?.issues ?? []) add('pauseAfter', message);
    for (const { path, message } of quiet?.error?.issues ?? []) {
      add(path[0] === 'from' ? 'quietFrom' : 'quietTo', message);
    }
  });
export type PlanInput = z.infer<typeof PlanInput>;

function toStepInput({ afterSeconds, to, user, channels }: EscalationStep): StepInput {
  const unit =
    TIME_UNITS.findLast((each) => afterSeconds > 0 && afterSeconds % UNIT_SECONDS[each] === 0) ??
    'minutes';
  return {
    after: afterSeconds / UNIT_SECONDS[unit],
    unit,
    who: user === undefined ? to : PERSON_PREFIX + user,
    channels: [...channels],
  };
}

function toStep({ after, unit, who, channels }: StepInput): EscalationStep {
  const afterSeconds = after * UNIT_SECONDS[unit];
  const to = STEP_RECEIVERS.find((each) => each === who);
  return to
    ? { afterSeconds, to, channels }
    : { afterSeconds, to: 'user', user: who.slice(PERSON_PREFIX.length), channels };
}

/** Returns the steps in order of time; those of the same time keep theirs. */
export const stepsOf = ({ steps }: Pick<PlanInput, 'steps'>): EscalationStep[] =>
  steps.map(toStep).toSorted((one, other) => one.afterSeconds - other.afterSeconds);

/** Returns a further step: five minutes after the last, to everybody. */
export function nextStep(input: Pick<PlanInput, 'steps'>): StepInput {
  const last = stepsOf({ steps: input.steps.filter(({ after }) => after >= 0) }).at(-1);
  const afterSeconds = Math.min((last?.afterSeconds ?? 0) + 300, LIMITS.afterSeconds);
  return toStepInput({ afterSeconds, to: 'all', channels: ['push'] });
}

/** Returns the form's values of a plan; days are by the farm's clock. What is off has what it begins with. */
export const toPlanInput =
  (timeZone: string | undefined) =>
  (plan: FarmEscalation): PlanInput => ({
    steps: plan.steps.map(toStepInput),
    rounds: plan.rounds,
    ackMinutes: plan.ackMinutes,
    isQuiet: plan.quietHours !== null,
    quietFrom: plan.quietHours?.from ?? DEFAULT_QUIET_HOURS.from,
    quietTo: plan.quietHours?.to ?? DEFAULT_QUIET_HOURS.to,
    pauses: plan.pauseAfter !== null,
    pauseAfter: plan.pauseAfter ?? SUGGESTED_PAUSE_AFTER,
    backOn: plan.silentUntil === null ? '' : dayIn(timeZone, new Date(plan.silentUntil)),
  });

/** Returns what a form changes of a plan. */
export const toPlan = (
  { rounds, ackMinutes, ...input }: PlanInput,
  timeZone: string | undefined,
): UpdateFarmEscalation => ({
  steps: stepsOf(input).map((step) => ({ ...step, channels: [...step.channels] })),
  rounds,
  ackMinutes,
  quietHours: input.isQuiet ? { from: input.quietFrom, to: input.quietTo } : null,
  pauseAfter: input.pauses ? input.pauseAfter : null,
  silentUntil: input.backOn === '' ? null : startOfDay(timeZone, input.backOn),
});

/** Returns when a day begins in a time zone; where its midnight is left out, the first instant after that. */
export function startOfDay(timeZone: string | undefined, day: string): string {
  let at = Date.parse(`${day}T00:00:00Z`);
  const asIfUtc = (instant: number) => {
    const { date, time: clock } = wallClockIn(timeZone, instant);
    return Date.parse(`${date}T${clock}:00Z`);
  };
  // The offset at the first guess may be another one than at midnight.
  for (let tries = 0; tries < 2; tries++) at -= asIfUtc(at) - Date.parse(`${day}T00:00:00Z`);
  const isOf = (instant: number) => dayIn(timeZone, instant) === day;
  while (!isOf(at) && dayIn(timeZone, at) < day) at += 15 * 60_000;
  return new Date(at).toISOString();
}

/** The first day on which a farm that is on holiday can be back, and the last. */
export const backOnLimits = (timeZone: string | undefined) => {
  const today = dayIn(timeZone);
  return { min: addDays(today, 1), max: addDays(today, 366) };
};

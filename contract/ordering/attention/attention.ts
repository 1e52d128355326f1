import {
  ATTENTION_STATES,
  ATTENTIONS_PER_CALL,
  attentionApi as calls,
  ESCALATION_LIMITS as LIMITS,
  STEP_CHANNELS,
  STEP_RECEIVERS,
} from '#contract/ordering/attention/constants';
import { ATTENTION_KINDS } from '#contract/people/notifications/constants';
import { Person } from '#contract/people/users/users';
import { event } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  ExpectedVersion,
  Id,
  Instant,
  named,
  one,
  text,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** Somebody was told of it. */
export const AttentionTold = named('AttentionTold', {
  channel: z.enum(STEP_CHANNELS),
  to: Person,
  at: Instant,
});
export type AttentionTold = z.infer<typeof AttentionTold>;

/** What waits until somebody of a farm answers, or until a customer has seen it. */
export const Attention = named('Attention', {
  _id: Id,
  kind: z.enum(ATTENTION_KINDS),
  /** The order that it is about; its customer is the one who has not seen it where the attention is a customer's. */
  order: z
    .object({
      _id: Id,
      consumer: Person,
      /** The handover, as the order has it. */
      startsAt: Instant.nullable(),
    })
    .optional(),
  /** What its words are made of, as a notification of its kind has it. */
  params: z.record(z.string(), z.unknown()),
  /** A path of the web client. */
  link: z.string(),
  farm: Person,
  /** Of a customer: they alone are meant. Absent where it is the farm's. */
  customer: Person.optional(),
  state: z.enum(ATTENTION_STATES),
  /** The step that has run last, from 1; 0 before the first. */
  step: z.int(),
  round: z.int(),
  createdAt: Instant,
  /** When the next step is due, or "I'm on it" ends; null where nothing follows. */
  nextAt: Instant.nullable(),
  seenAt: Instant.nullable(),
  acknowledged: z.object({ by: Person, at: Instant }).optional(),
  /** Whom it rings on open pages, while it waits. */
  rings: z.array(Id),
  /** Whether its plan reaches nobody: no push, no proven mail, no proven phone. */
  isUnreachable: z.boolean(),
  /** Who was told and when, newest last. */
  told: z.array(AttentionTold),
  /** Grows with each change. */
  version: z.int(),
});
export type Attention = z.infer<typeof Attention>;

export const QuietHours = z
  .object({ from: WallTime, to: WallTime })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: () => t('Quiet hours end at another time than they begin.'),
  });

/** A whole number of a plan. */
export const whole = (max: number, min: number) =>
  z
    .int({ error: () => t('Enter a whole number.') })
    .min(min, { error: () => t('Enter at least {min}.', { min }) })
    .max(max, { error: () => t('Enter at most {max}.', { max }) });

export const EscalationStep = z
  .object({
    afterSeconds: whole(LIMITS.afterSeconds, 0),
    to: z.enum(STEP_RECEIVERS),
    user: Id.optional(),
    channels: z
      .array(z.enum(STEP_CHANNELS))
      .min(1, { error: () => t('Choose at least one way to be told.') })
      .overwrite((channels) => STEP_CHANNELS.filter((each) => channels.includes(each))),
  })
  .refine(({ to, user }) => (to === 'user') === (user !== undefined), {
    path: ['user'],
    error: () => t('Choose a person.'),
  })
  .meta({ id: 'EscalationStep' });

const planFields = {
  steps: z
    .array(EscalationStep)
    .min(1, { error: () => t('Add at least one step.') })
    .max(LIMITS.steps, {
      error: () => t('A plan has at most {max} steps.', { max: LIMITS.steps }),
    }),
  rounds: whole(LIMITS.rounds, 1),
  quietHours: QuietHours.nullable(),
  ackMinutes: whole(LIMITS.ackMinutes, 1),
  pauseAfter: whole(LIMITS.pauseAfter, 1).nullable(),
};

/** How a farm is told of new orders. Running attentions keep the plan with which they began. */
export const FarmEscalation = named('FarmEscalation', {
  ...planFields,
  /** Until this instant nobody is told of anything outside the app: the farm is on holiday. */
  silentUntil: Instant.nullable(),
  /** Until when the caller is told of nothing outside the app; null where they are. */
  offUntil: Instant.nullable().optional(),
  /** Whether the market sends SMS. */
  hasSms: z.boolean(),
  /** Whether its plan reaches nobody. */
  isUnreachable: z.boolean(),
  version: z.int(),
});
export type FarmEscalation = z.infer<typeof FarmEscalation>;

/** Fields left out keep their value. */
export const UpdateFarmEscalation = z.object({
  ...z.object(planFields).partial().shape,
  silentUntil: Instant.nullable().optional(),
  expectedVersion: ExpectedVersion,
});
export type UpdateFarmEscalation = z.infer<typeof UpdateFarmEscalation>;

const AttentionIds = z.object({ ids: z.array(Id).min(1).max(ATTENTIONS_PER_CALL) });

/** What became of one that was acknowledged; of several people the first stays. */
export const Acknowledged = named('Acknowledged', {
  _id: Id,
  state: z.enum(ATTENTION_STATES),
  by: Person.nullable(),
  at: Instant.nullable(),
});
export type Acknowledged = z.infer<typeof Acknowledged>;

export const attentionEvents = {
  'attention.changed': event({
    data: Attention,
    summary: 'Something asks for an answer, somebody is on it, or it is done.',
    audience: 'Everyone who works for the farm, and admins.',
    rooms: [['farm', 'admins']],
  }),
  'attention.tried': event({
    data: z.object({ at: Instant }),
    summary: 'Somebody tries out how they are rung; late it means nothing.',
    audience: 'Themselves.',
    rooms: [['user']],
  }),
};

export const attentionApi = endpoints(calls, {
  list: {
    summary:
      "What waits for an answer at the caller's farm, oldest first; for admins at every farm",
    access: ['farmer', 'admin'],
    answer: one(z.array(Attention)),
  },
  acknowledge: {
    summary: 'Say "I\'m on it"; of several people the first one stays',
    ...forFarm('read'),
    failures: [404],
    body: AttentionIds,
    answer: one(z.array(Acknowledged)),
  },
  acknowledgeByToken: {
    summary: 'Say "I\'m on it" by a push message\'s token, without a session',
    access: 'public',
    failures: [404],
    body: z.object({ token: text(2000) }),
    answer: one(z.array(Acknowledged)),
  },
  see: {
    summary: 'Say that alerts stood in a visible page',
    ...forFarm('read'),
    failures: [404],
    body: AttentionIds,
  },
  setOff: {
    summary: "Be told of nothing outside the app for the rest of the farm's day, or again",
    ...forFarm('read'),
    body: z.object({ isOff: z.boolean() }),
    answer: one(z.object({ offUntil: Instant.nullable() })),
  },
  plan: {
    summary: "How the caller's farm is told of new orders",
    ...forFarm('read'),
    answer: one(FarmEscalation),
  },
  updatePlan: {
    summary: "Change how the caller's farm is told of new orders",
    ...forFarm('changeFarm'),
    body: UpdateFarmEscalation,
    answer: one(FarmEscalation),
  },
  tryOut: {
    summary: 'Ring the caller as a new order would',
    ...forFarm('read'),
  },
});

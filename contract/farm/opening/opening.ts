import {
  APPROVAL_REASON_MAX,
  APPROVAL_STATES,
  openingApi as calls,
  FARM_QUEUES,
  FURTHER_STEPS,
  OPENING_STEPS,
} from '#contract/farm/opening/constants';
import { event } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Address,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  named,
  one,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

const FarmOpeningStep = named('FarmOpeningStep', {
  step: z.enum(OPENING_STEPS),
  isDone: z.boolean(),
});

const FarmFurtherStep = named('FarmFurtherStep', {
  step: z.enum(FURTHER_STEPS),
  isDone: z.boolean(),
  /** Whether the farm has said that it does not need it. */
  isSetAside: z.boolean(),
});

/** How far a farm is on its way into the market. */
export const FarmOpening = named('FarmOpening', {
  state: z.enum(APPROVAL_STATES),
  /** Why an admin sent it back; null otherwise. */
  reason: z.string().nullable(),
  /** Every step that this market asks for once, in order. */
  steps: z.array(FarmOpeningStep),
  /** What makes it complete beyond that. Absent only in answers of an older server. */
  further: z.array(FarmFurtherStep).optional(),
});
export type FarmOpening = z.infer<typeof FarmOpening>;

/** A farm as admins decide about it. */
export const AdminFarm = FarmOpening.extend({
  _id: Id,
  /** Of its founder. */
  name: z.string(),
  farmName: z.string(),
  description: z.string(),
  /** Empty once its founder has left. */
  email: z.string(),
  phone: z.string(),
  address: Address,
  createdAt: Instant,
  /** Since when it waits for an answer; null unless it does. */
  askedAt: Instant.nullable(),
}).meta({ id: 'AdminFarm' });
export type AdminFarm = z.infer<typeof AdminFarm>;

export const AdminFarmListQuery = ListQuery.extend({
  /** Absent: those that wait for an answer. */
  state: z.enum(FARM_QUEUES).default('waiting'),
});
export type AdminFarmListQuery = z.infer<typeof AdminFarmListQuery>;

/** Lets a farm into the market, or sends it back. Only the latter needs a reason. */
export const DecideApproval = z
  .object({ approved: z.boolean(), reason: text(APPROVAL_REASON_MAX).default('') })
  .refine(({ approved, reason }) => approved || reason !== '', {
    path: ['reason'],
    error: () => t('Tell the farm what is missing.'),
  });
export type DecideApproval = z.infer<typeof DecideApproval>;

/** All the steps that the farm does not need; the others are asked for again. */
export const SetAsideSteps = z.object({
  steps: z.array(z.enum(FURTHER_STEPS)).max(FURTHER_STEPS.length),
});
export type SetAsideSteps = z.infer<typeof SetAsideSteps>;

export const openingEvents = {
  // Anyone who may see the farm and its products changes with it: then a `farmer.updated` comes too.
  'farm.approvalChanged': event({
    data: z.object({
      _id: Id,
      /** The farm's name, or else its farmer's. */
      name: z.string(),
      state: z.enum(APPROVAL_STATES),
      /** Why it was sent back; null otherwise. */
      reason: z.string().nullable(),
    }),
    summary: 'A farm asks for approval, or an admin decided about it.',
    audience: 'The farm and admins.',
    rooms: [['farm', 'admins']],
  }),
};

export const openingApi = endpoints(calls, {
  own: {
    summary: "What is missing before the signed-in farmer's farm can sell",
    ...forFarm('read'),
    answer: one(FarmOpening),
  },
  ask: {
    summary: "Ask admins to approve the signed-in farmer's farm",
    ...forFarm('changeFarm'),
    answer: one(FarmOpening),
  },
  setAside: {
    summary: "Say which further steps the signed-in farmer's farm does not need",
    ...forFarm('changeFarm'),
    body: SetAsideSteps,
    answer: one(FarmOpening),
  },
  farms: {
    summary: 'Farms by where they stand: those that wait first come first, others newest first',
    access: ['admin'],
    query: AdminFarmListQuery,
    answer: list(AdminFarm),
  },
  decide: {
    summary: 'Approve a farm, or send it back with a reason',
    access: ['admin'],
    params: idParams(() => t('Farmer not found')),
    body: DecideApproval,
    answer: one(AdminFarm),
  },
});

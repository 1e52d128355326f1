import type {
  EscalationPlan,
  EscalationStep,
  StepChannel,
} from '#contract/ordering/attention/constants';
import type { AttentionKind } from '#contract/people/notifications/constants';
import type { Preferences } from '#contract/people/notifications/notifications';
import {
  FARM_PERMISSIONS,
  type FarmPermission,
  type FarmRole,
} from '#contract/platform/session/constants';
import { type Course, stepsOf } from './policy.ts';

/** What somebody of a farm may do there whom a kind concerns. */
export const CONCERNS = {
  'order.placed': 'answerOrders',
  'order.slotMoved': 'read',
  'order.changeProposed': 'read',
  'picklist.changed': 'packOrders',
} as const satisfies Record<AttentionKind, FarmPermission>;

/** How somebody can be told outside the app. */
export interface Reachable {
  userId: string;
  preferences: Preferences;
  /** Whether the market mails to their address, and whether they have proven it. */
  isMailed: boolean;
  isMailProven: boolean;
  subscriptionIds: readonly string[];
  /** Whether they have proven their phone, which then gets text messages where the market sends any. */
  isPhoneProven: boolean;
}

/** Somebody who works for a farm and is not suspended. */
export interface Staff extends Reachable {
  role: FarmRole;
  hasAlerts: boolean;
  /** Until when they are told of nothing: "not today". */
  offUntil: Date | null;
}

/** Returns whom a part of a step tells: as they are now, not as they were when its plan began. */
export function receiversOf(
  { to, user }: Pick<EscalationStep, 'to' | 'user'>,
  kind: AttentionKind,
  staff: readonly Staff[],
  now: Date,
): Staff[] {
  const isMeant = {
    owner: ({ role }: Staff) => role === 'owner',
    alerted: ({ hasAlerts }: Staff) => hasAlerts,
    all: () => true,
    user: ({ userId }: Staff) => userId === user,
  }[to];
  return staff.filter(
    (person) =>
      isMeant(person) &&
      FARM_PERMISSIONS[person.role]?.includes(CONCERNS[kind]) &&
      !(person.offUntil && person.offUntil > now),
  );
}

/** Returns whether somebody is told of a kind over a channel, by what they prefer and how they can be reached. */
export function isTold(channel: StepChannel, kind: AttentionKind, person: Reachable): boolean {
  switch (channel) {
    case 'ring':
      return true;
    case 'email':
      return person.preferences[kind].email && person.isMailed;
    case 'push':
      return person.preferences[kind].push && person.subscriptionIds.length > 0;
    case 'sms':
      return (person.preferences[kind].sms ?? false) && person.isPhoneProven;
  }
}

const OUTSIDE = ['push', 'email', 'sms'] as const;

/** Whether somebody is reached for sure: an address that nobody has proven may be anybody's. */
const isReached = (channel: StepChannel, kind: AttentionKind, person: Reachable): boolean =>
  channel !== 'ring' &&
  isTold(channel, kind, person) &&
  (channel !== 'email' || person.isMailProven);

/** Returns whether a plan reaches nobody of its farm, as its people are now. */
export const reachesNobody = (
  { steps }: Pick<EscalationPlan, 'steps'>,
  kind: AttentionKind,
  staff: readonly Staff[],
  now: Date,
): boolean =>
  !steps.some((part) =>
    receiversOf(part, kind, staff, now).some((person) =>
      part.channels.some((channel) => isReached(channel, kind, person)),
    ),
  );

/** Returns whether a customer cannot be reached, who is told at once over whatever they prefer. */
export const isCustomerUnreachable = (kind: AttentionKind, person: Reachable): boolean =>
  !OUTSIDE.some((channel) => isReached(channel, kind, person));

/** Returns the ids of those whom an attention rings on open pages, by the steps of this round that have run. */
export function ringsOf(
  { state, step }: Pick<Course, 'state' | 'step'>,
  plan: Pick<EscalationPlan, 'steps'>,
  kind: AttentionKind,
  staff: readonly Staff[],
  now: Date,
): string[] {
  if (state !== 'waiting') return [];
  const rung = stepsOf(plan)
    .slice(0, step)
    .flat()
    .filter(({ channels }) => channels.includes('ring'))
    .flatMap((part) => receiversOf(part, kind, staff, now));
  return [...new Set(rung.map(({ userId }) => userId))];
}

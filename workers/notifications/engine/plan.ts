import { randomUUID } from 'node:crypto';
import { group } from 'd3-array';
import type { NotificationKind, Preferences } from '#contract/people/notifications/notifications';
import { room } from '#contract/platform/events/constants';
import {
  FARM_PERMISSIONS,
  type FarmPermission,
  type FarmRole,
} from '#contract/platform/session/constants';
import type {
  Channel,
  Notification,
  NotificationDelivery,
  Prisma,
} from '../../../prisma/generated/client.ts';
import { type Names, presentNotification } from '../../../server/people/notifications/present.ts';
import type { NewEvent } from '../../../server/platform/events/event-log.ts';
import type { DelayedTimerKind } from '../../../server/platform/stores/timers.ts';
import { PUSH_KEY_SEPARATOR } from '../../delivery/schedule.ts';
import { type PlannedAttention, withAttention } from './attentions.ts';
import type { Effect } from './definition.ts';
import { heldUntil, type PacedMessage } from './pace.ts';

/** An effect, the id of the request that caused it, if known, and when its event happened, if it is one's. */
export type CausedEffect = Effect & { requestId: string | null; at?: Date };

/** The effects that write a row of the ledger. */
type Keyed = Exclude<CausedEffect, { do: 'clearFlag' | 'settle' | 'endWaits' }>;

/** The state that {@link planEffects} decides on. */
export interface NotificationState {
  /** The database's clock, so that all processes agree. */
  now: Date;
  /** People by id, without deleted accounts. */
  people: ReadonlyMap<string, Recipient>;
  /** Who works for the farms among them, by the farm's id; all admins as the owners of `ADMINS`. */
  staff: ReadonlyMap<string, readonly StaffMember[]>;
  /** What the people are called whom the effects name. */
  names: Names;
  /** Which of the effects' flags are set. */
  flags: ReadonlySet<string>;
  /** The farms among them that have a printed pick list which is not over yet. */
  printingFarms: ReadonlySet<string>;
  /** The products among them that are back in stock and awaited, and the farms that have some. */
  awaited: ReadonlySet<string>;
  /** What the effects may settle: unread notifications of events before them. */
  unread: readonly UnreadNotification[];
  /** The messages of the last hour, and those that wait, about what the effects are about. */
  messages: readonly SentMessage[];
}

/** A message to somebody about something. */
export interface SentMessage extends PacedMessage {
  userId: string;
  about: string;
  channel: Channel;
}

export type UnreadNotification = Pick<Notification, 'id' | 'userId' | 'link' | 'kind'>;

export interface StaffMember {
  userId: string;
  role: FarmRole;
  /** Whether this person is notified of what concerns the farm: they want to be, and are not suspended. */
  hasAlerts: boolean;
}

export interface Recipient {
  preferences: Preferences;
  newestNotificationAt: Date | null;
  pushSubscriptionIds: readonly string[];
  /** Whether they can be reached by text message. */
  canBeTexted: boolean;
}

type PlannedDelivery = Omit<
  NotificationDelivery,
  | 'attentionId'
  | 'attempts'
  | 'error'
  | 'sentAt'
  | 'restoredAt'
  | 'retryAt'
  | 'outcomeUnknownAt'
  | 'isRepeat'
> & {
  /** Written only together with this notification. */
  notificationId: string | null;
  requestId: string | null;
};

/** A reminder that waits for its time. */
interface PlannedTimer {
  key: string;
  kind: DelayedTimerKind;
  dueAt: Date;
  requestId: string | null;
}

/** Written only together with its notification. */
type PlannedEvent = NewEvent & {
  id: string;
  notificationId: string;
  requestId: string | null;
};

/**
 * The rows to write. Their keys are unique per person (and channel), so existing rows are not written
 * again.
 */
export interface Plan {
  /** Read already are those that a later event of the same plan settles. */
  notifications: Notification[];
  deliveries: PlannedDelivery[];
  attentions: PlannedAttention[];
  timers: PlannedTimer[];
  events: PlannedEvent[];
  clearedFlags: string[];
  /** Existing notifications to mark as read: their ids by person. */
  settled: Map<string, string[]>;
  /** Who has bought which product, so that they wait for it no longer. */
  bought: { userId: string; productId: string }[];
}

interface PlanRules {
  /** Returns the longest delay of a delivery, in seconds. */
  delaySeconds: (delivery: { channel: Channel; kind: string }) => number;
  /** The delay of each kind of reminder, in seconds. */
  reminderSeconds: Readonly<Record<DelayedTimerKind, number>>;
  /** What those of a farm may do whom a kind concerns. */
  concernsOf: (kind: NotificationKind) => FarmPermission;
  /** Whether of a kind what follows a mail or push goes together. */
  isPaced: (kind: NotificationKind) => boolean;
  /** Whether a farm is sent a kind outside the app by its plan alone. */
  hasPlan: (kind: NotificationKind) => boolean;
}

/**
 * Decides which rows the effects, in their order, change.
 *
 * - People without an account get nothing. What is for a farm, everyone there gets who has alerts on and may do
 *   what the kind is about.
 * - A notification is shown in the app, sent by email after the kind's delay, pushed at once to each subscribed
 *   browser and, of some kinds, texted to a verified phone, as the person's preferences allow.
 * - What is about the same as a mail or push before is held, to go together: see `pace.ts`. What the sender's limits do
 *   not allow is in the app alone.
 * - What a farm has a plan for is in the app alone, and an attention that asks by the plan.
 * - A notification with a flag is created only while the flag is not set, and sets it.
 * - One person's notifications have distinct, increasing times.
 * - What is notified and settled by the same events is read from the start; what was notified before is marked
 *   as read.
 */
export function planEffects(
  state: NotificationState,
  effects: readonly CausedEffect[],
  { delaySeconds, reminderSeconds, concernsOf, isPaced, hasPlan }: PlanRules,
): Plan {
  const plan: Plan = {
    notifications: [],
    deliveries: [],
    attentions: [],
    timers: [],
    events: [],
    clearedFlags: [],
    settled: new Map(),
    bought: [],
  };
  const flags = new Set(state.flags);
  const flagRows = new Map<string, PlannedDelivery>();
  const newestAt = new Map<string, number>();
  const requestIds = new Map<string, string | null>();
  const settled = new Set<UnreadNotification>();
  const messages = [...state.messages];

  const deliveryOf = (
    { userId, kind, key, requestId, ...effect }: Keyed,
    channel: Channel,
  ): PlannedDelivery => ({
    id: randomUUID(),
    userId,
    kind,
    key,
    channel,
    status: 'pending',
    createdAt: state.now,
    dueAt: new Date(state.now.getTime() + delaySeconds({ channel, kind }) * 1000),
    about: null,
    isHeld: false,
    language: ('language' in effect && effect.language) || null,
    notificationId: null,
    requestId,
  });

  const timerOf = ({
    key,
    kind,
    notBefore,
    requestId,
  }: Extract<CausedEffect, { do: 'schedule' }>): PlannedTimer => {
    const earliestMs = state.now.getTime() + reminderSeconds[kind] * 1000;
    const dueAt = new Date(Math.max(earliestMs, notBefore?.getTime() ?? 0));
    return { key, kind, dueAt, requestId };
  };

  /** Returns when a message goes, if it waits for others, and counts it for those that follow. */
  const pace = (userId: string, kind: NotificationKind, about: string, channel: Channel) => {
    if (!isPaced(kind)) return {};
    const earlier = messages.filter(
      (one) => one.userId === userId && one.about === about && one.channel === channel,
    );
    const dueAt = heldUntil(state.now, kind, earlier);
    messages.push({ userId, about, channel, kind, at: dueAt ?? state.now, isHeld: dueAt !== null });
    return { about, ...(dueAt ? { dueAt, isHeld: true } : {}) };
  };

  /** Sets a flag, which is a row of the ledger that is never sent. @returns false if it was already set */
  const setFlag = (effect: Keyed, key: string): boolean => {
    if (flags.has(key)) return false;
    flags.add(key);
    const row = deliveryOf(effect, 'in_app');
    flagRows.set(key, { ...row, key, status: 'sent', dueAt: state.now });
    return true;
  };

  /** Returns the ids of those who get what is for a person or a farm. */
  const receiversOf = ({ userId, kind }: Extract<CausedEffect, { do: 'notify' }>): string[] => {
    const staff = state.staff.get(userId);
    if (!staff) return [userId];
    const isConcerned = ({ role, hasAlerts }: StaffMember) =>
      hasAlerts && FARM_PERMISSIONS[role].includes(concernsOf(kind));
    return staff.filter(isConcerned).map((member) => member.userId);
  };

  const notifyAll = (effect: Extract<CausedEffect, { do: 'notify' }>) => {
    if (effect.unlessFlag && !setFlag(effect, effect.unlessFlag)) return;
    if (effect.asks) plan.attentions = withAttention(plan.attentions, effect, state.now);
    for (const userId of receiversOf(effect)) {
      const receiver = state.people.get(userId);
      if (receiver) notify({ ...effect, userId }, receiver, state.staff.has(effect.userId));
    }
  };

  const notify = (
    effect: Extract<CausedEffect, { do: 'notify' }>,
    { preferences, newestNotificationAt, pushSubscriptionIds, canBeTexted }: Recipient,
    isOfFarm: boolean,
  ) => {
    const { userId, kind, key, link, requestId } = effect;
    const last = newestAt.get(userId) ?? newestNotificationAt?.getTime() ?? 0;
    const at = Math.max(state.now.getTime(), last + 1);
    newestAt.set(userId, at);

    const id = randomUUID();
    const createdAt = new Date(at);
    const params = effect.params as object as Prisma.JsonObject;
    const words = { params, title: '', body: '' };
    plan.notifications.push({ id, userId, kind, key, link, createdAt, readAt: null, ...words });
    requestIds.set(id, requestId);
    if ('isMailed' in effect && !effect.isMailed) return;
    if (isOfFarm && hasPlan(kind)) return;
    const channels = preferences[kind];
    const about = effect.about ?? link;
    if (channels.email) {
      plan.deliveries.push({
        ...deliveryOf(effect, 'email'),
        ...pace(userId, kind, about, 'email'),
        notificationId: id,
      });
    }
    // Several go together by when the person was texted last, whatever they are about.
    if (channels.sms && canBeTexted)
      plan.deliveries.push({ ...deliveryOf(effect, 'sms'), notificationId: id });
    if (!channels.push || pushSubscriptionIds.length === 0) return;
    const paced = pace(userId, kind, about, 'push');
    for (const subscriptionId of pushSubscriptionIds) {
      plan.deliveries.push({
        ...deliveryOf(effect, 'push'),
        ...paced,
        key: key + PUSH_KEY_SEPARATOR + subscriptionId,
        notificationId: id,
      });
    }
  };

  for (const effect of effects) {
    if (effect.do === 'clearFlag') {
      flags.delete(effect.key);
      continue;
    }
    if (effect.do === 'settle') {
      const isEnded = (one: UnreadNotification) => isSettled(one, effect, state.staff);
      for (const notification of plan.notifications.filter(isEnded)) {
        notification.readAt = state.now;
      }
      for (const notification of state.unread.filter(isEnded)) settled.add(notification);
      continue;
    }
    if (effect.do === 'endWaits') {
      const { userId, productIds } = effect;
      plan.bought.push(...productIds.map((productId) => ({ userId, productId })));
      continue;
    }
    // A farm of which everybody is suspended still has its timers.
    if (!state.people.has(effect.userId) && !state.staff.has(effect.userId)) continue;
    switch (effect.do) {
      case 'notify':
        notifyAll(effect);
        break;
      case 'schedule':
        if (effect.needsPrint && !state.printingFarms.has(effect.userId)) break;
        if (effect.needsFollowers && !state.awaited.has(effect.needsFollowers)) break;
        plan.timers.push(timerOf(effect));
        break;
      case 'mail':
        if ('isMailed' in effect && !effect.isMailed) break;
        plan.deliveries.push(deliveryOf(effect, 'email'));
        break;
      case 'tryPush':
        for (const subscriptionId of state.people.get(effect.userId)?.pushSubscriptionIds ?? []) {
          const row = deliveryOf(effect, 'push');
          plan.deliveries.push({ ...row, key: effect.key + PUSH_KEY_SEPARATOR + subscriptionId });
        }
        break;
      case 'text':
        plan.deliveries.push(deliveryOf(effect, 'sms'));
        break;
      case 'setFlag':
        setFlag(effect, effect.key);
        break;
    }
  }

  plan.events = plan.notifications.map((notification) => ({
    id: randomUUID(),
    name: 'notification.created',
    data: presentNotification(notification, state.names),
    rooms: [room.user(notification.userId)],
    notificationId: notification.id,
    requestId: requestIds.get(notification.id) ?? null,
  }));

  // Only the difference is written: a flag that was set and cleared again is not.
  for (const [key, row] of flagRows) {
    if (flags.has(key) && !state.flags.has(key)) plan.deliveries.push(row);
  }
  plan.clearedFlags = [...state.flags].filter((key) => !flags.has(key));
  for (const [userId, theirs] of group(settled, (notification) => notification.userId)) {
    plan.settled.set(
      userId,
      theirs.map(({ id }) => id),
    );
  }
  return plan;
}

const isSettled = (
  { userId, link, kind }: UnreadNotification,
  effect: Extract<Effect, { do: 'settle' }>,
  staff: NotificationState['staff'],
): boolean =>
  (userId === effect.userId ||
    (staff.get(effect.userId)?.some((member) => member.userId === userId) ?? false)) &&
  effect.links.includes(link) &&
  (effect.kinds?.some((each) => each === kind) ?? true);

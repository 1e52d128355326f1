import { DEFAULT_PREFERENCES } from '#contract/notifications';
import type { Transaction } from '../prisma/client.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import { notificationsLock } from '../server/notifications/present.ts';
import { currentRequestId } from '../server/platform/request-context.ts';
import type { Effect } from './notifications/definition.ts';

/** A row of the ledger as far as it takes to make a job of it. */
export const plannedSelect = {
  id: true,
  userId: true,
  channel: true,
  kind: true,
} as const satisfies Prisma.NotificationDeliverySelect;

/** Something to be done that stands in the ledger and waits for its job. */
export type Planned = Prisma.NotificationDeliveryGetPayload<{ select: typeof plannedSelect }> & {
  /** The request that led to it, where that is known. */
  requestId?: string | null;
};

/**
 * Between a notification's key and the push subscription that one row of the ledger is for, as the
 * SQL function `tell_person` writes it.
 */
const FOR = '@';

/** A ledger row's key taken apart: the notification's key and, for push, the subscription's id. */
export function partsOfKey(key: string): { notificationKey: string; subscriptionId: string } {
  const at = key.lastIndexOf(FOR);
  return at < 0
    ? { notificationKey: key, subscriptionId: '' }
    : { notificationKey: key.slice(0, at), subscriptionId: key.slice(at + 1) };
}

/**
 * Carries out effects inside a transaction, in one statement, in their order. Each is a row that is
 * unique for its key, person and channel, so however often an event is seen, it has its effect once.
 * What does not name the request that led to it is taken to come of the one under way.
 * @returns what needs a job after the commit
 */
export async function carryOut(
  tx: Transaction,
  effects: readonly (Effect & { requestId?: string | null })[],
): Promise<Planned[]> {
  if (effects.length === 0) return [];
  const requestId = currentRequestId();
  const told = effects.map((effect) => ({
    requestId,
    ...effect,
    ...(effect.do === 'tell'
      ? { ...DEFAULT_PREFERENCES[effect.kind], lock: notificationsLock(effect.userId) }
      : {}),
  }));
  return tx.$queryRaw<Planned[]>`SELECT * FROM carry_out(${JSON.stringify(told)}::jsonb)`;
}

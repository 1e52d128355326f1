import type { Prisma } from '../../prisma/generated/client.ts';

/** The columns of the ledger (`notification_deliveries`) that a job is made of. */
export const plannedSelect = {
  id: true,
  userId: true,
  channel: true,
  kind: true,
} as const satisfies Prisma.NotificationDeliverySelect;

/** A delivery that needs a job. */
export type Planned = Prisma.NotificationDeliveryGetPayload<{ select: typeof plannedSelect }> & {
  /** The id of the request that caused it, if known. */
  requestId?: string | null;
  /** So long it waits to go together with others, whoever is online. */
  heldMs?: number;
};

/** Decides when a delivery is due, by its channel and kind. */
export interface DueTimes {
  /** The longest that a delivery of this kind waits before it is due, in seconds. */
  longestDelay(delivery: Pick<Planned, 'channel' | 'kind'>): number;
  /** Whether it is due at once when the person is offline. */
  isDueAtOnceWhenAway(delivery: Pick<Planned, 'channel' | 'kind'>): boolean;
}

/** Stands between a notification's key and the push subscription that a delivery is for. */
export const PUSH_KEY_SEPARATOR = '@';

/** Splits a delivery's key into the notification's key and, for push, the subscription's id. */
export function partsOfKey(key: string): { notificationKey: string; subscriptionId: string } {
  const at = key.lastIndexOf(PUSH_KEY_SEPARATOR);
  return at < 0
    ? { notificationKey: key, subscriptionId: '' }
    : { notificationKey: key.slice(0, at), subscriptionId: key.slice(at + 1) };
}

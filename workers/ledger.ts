import { room } from '#contract/realtime';
import type { Transaction } from '../prisma/client.ts';
import type { Channel, Prisma } from '../prisma/generated/client.ts';
import {
  notificationsLock,
  presentNotification,
  presentPreferences,
} from '../server/notifications/present.ts';
import { record } from '../server/platform/event-log.ts';
import { lockName } from '../server/platform/postgres.ts';
import type { Notice, Ways } from './notifications/definition.ts';

/** A row of the ledger as far as it takes to make a job of it. */
export const plannedSelect = {
  id: true,
  userId: true,
  channel: true,
  kind: true,
} as const satisfies Prisma.NotificationDeliverySelect;

/** Something to be done that stands in the ledger and waits for its job. */
export type Planned = Prisma.NotificationDeliveryGetPayload<{ select: typeof plannedSelect }>;

/** Between a notification's key and the push subscription that one row of the ledger is for. */
const FOR = '@';

/** A ledger row's key taken apart: the notification's key and, for push, the subscription's id. */
export function partsOfKey(key: string): { notificationKey: string; subscriptionId: string } {
  const at = key.lastIndexOf(FOR);
  return at < 0
    ? { notificationKey: key, subscriptionId: '' }
    : { notificationKey: key.slice(0, at), subscriptionId: key.slice(at + 1) };
}

/**
 * The ways to react inside a transaction. Each effect is a row that is unique for its key, person
 * and channel, so however often an event is seen, it has its effect once. `planned` fills with
 * what needs a job after the commit.
 */
export function waysIn(tx: Transaction, planned: Planned[]): Ways {
  async function plan(
    rows: { userId: string; kind: string; key: string; channel: Channel }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    planned.push(
      ...(await tx.notificationDelivery.createManyAndReturn({
        data: rows,
        skipDuplicates: true,
        select: plannedSelect,
      })),
    );
  }

  const exists = (userId: string) =>
    tx.user.count({ where: { id: userId, deletedAt: null } }).then((count) => count > 0);

  return {
    tx,

    async tell(notice) {
      const user = await tx.user.findUnique({
        where: { id: notice.userId, deletedAt: null },
        select: { preferences: true, pushSubscriptions: { select: { id: true } } },
      });
      if (!user || !(await addToBell(tx, notice))) return;
      const { userId, kind, key } = notice;
      const chosen = presentPreferences(user.preferences)[kind];
      await plan([
        ...(chosen.email ? [{ userId, kind, key, channel: 'email' as const }] : []),
        ...(chosen.push
          ? user.pushSubscriptions.map(({ id }) => ({
              userId,
              kind,
              key: key + FOR + id,
              channel: 'push' as const,
            }))
          : []),
      ]);
    },

    async remindLater(reminder) {
      if (await exists(reminder.userId)) await plan([{ ...reminder, channel: 'in_app' }]);
    },

    async mail(mail) {
      if (await exists(mail.userId)) await plan([{ ...mail, channel: 'email' }]);
    },
  };
}

/** @returns false when the person was told of this already */
async function addToBell(tx: Transaction, notice: Notice): Promise<boolean> {
  await lockName(tx, notificationsLock(notice.userId));
  const [added] = await tx.notification.createManyAndReturn({
    data: [{ ...notice }],
    skipDuplicates: true,
  });
  if (!added) return false;
  await record(tx, {
    name: 'notification.created',
    data: presentNotification(added),
    rooms: [room.user(notice.userId)],
  });
  return true;
}

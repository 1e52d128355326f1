import { DEFAULT_PREFERENCES } from '#contract/notifications';
import type { Transaction } from '../prisma/client.ts';
import type { Channel, Prisma } from '../prisma/generated/client.ts';
import { notificationsLock } from '../server/notifications/present.ts';
import { currentRequestId } from '../server/platform/request-context.ts';
import type { Ways } from './notifications/definition.ts';

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
  requestId?: string;
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

    async tell({ userId, kind, key, title, body, link }) {
      const { email, push } = DEFAULT_PREFERENCES[kind];
      planned.push(
        ...(await tx.$queryRaw<Planned[]>`
          SELECT * FROM tell_person(${userId}::uuid, ${kind}, ${key}, ${title}, ${body}, ${link},
            ${email}, ${push}, ${notificationsLock(userId)}, ${currentRequestId() ?? null})`),
      );
    },

    async remindLater(reminder) {
      if (await exists(reminder.userId)) await plan([{ ...reminder, channel: 'in_app' }]);
    },

    async mail(mail) {
      if (await exists(mail.userId)) await plan([{ ...mail, channel: 'email' }]);
    },
  };
}

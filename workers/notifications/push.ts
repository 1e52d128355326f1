import type { NotificationKind } from '#contract/notifications';
import type { ProcessPlatform } from '../../server/events/platform.ts';
import { presentPreferences } from '../../server/notifications/present.ts';
import { isPushEndpoint } from '../../server/process/ssrf-guard.ts';
import type { Exclusive } from '../delivery/exclusive.ts';
import { partsOfKey } from '../delivery/ledger.ts';
import type { PersonLimit } from '../delivery/postpone.ts';
import { type Attempt, markFailed, markSent, markSkipped } from './delivery.ts';
import { type PushClient, PushRefusedError } from './push-client.ts';

/** Statuses of a subscription that has ended, by the browser or the push service. */
const GONE = new Set([404, 410]);

/**
 * Sends the push message of one delivery, unless it was read meanwhile, is no longer wanted or the
 * subscription has ended.
 * @throws when the push service did not accept it, so that the job is retried; PostponedError while the
 * person's limit of running jobs is reached
 */
export async function deliverPush(
  platform: ProcessPlatform,
  tools: { exclusive: Exclusive; pushClient: Pick<PushClient, 'send'>; limit: PersonLimit },
  { deliveryId, isLast }: Attempt,
): Promise<void> {
  const { db, env, log } = platform;
  const delivery = await db.notificationDelivery.findUnique({
    where: { id: deliveryId },
    select: { userId: true },
  });
  if (!delivery) return;
  await tools.limit.run(delivery.userId, () =>
    tools.exclusive.run(`push ${deliveryId}`, async () => {
      const row = await db.notificationDelivery.findUnique({
        where: { id: deliveryId },
        include: { user: { select: { preferences: true, deletedAt: true } } },
      });
      if (!row || row.status === 'sent' || row.status === 'skipped') return;
      const { notificationKey, subscriptionId } = partsOfKey(row.key);
      const [notification, subscription] = await Promise.all([
        db.notification.findUnique({
          where: { userId_key: { userId: row.userId, key: notificationKey } },
        }),
        // The browser may belong to another person by now.
        db.pushSubscription.findUnique({ where: { id: subscriptionId, userId: row.userId } }),
      ]);
      const kind = row.kind as NotificationKind;
      const isWanted = !row.user.deletedAt && presentPreferences(row.user.preferences)[kind].push;
      if (!notification || notification.readAt || !subscription || !isWanted) {
        await markSkipped(db, [row.id]);
        return;
      }
      const remove = async () => {
        await db.pushSubscription.deleteMany({ where: { id: subscription.id } });
        await markSkipped(db, [row.id]);
      };
      // It may have been subscribed before the server looked at all of the address.
      if (!isPushEndpoint(env, subscription.endpoint)) return remove();
      await db.notificationDelivery.update({ where: { id: row.id }, data: { status: 'sending' } });
      try {
        const { id, title, body, link } = notification;
        await tools.pushClient.send(subscription, { title, body, link, tag: id });
      } catch (error) {
        if (error instanceof PushRefusedError && GONE.has(error.status)) {
          await remove();
          log.info({ status: error.status }, 'Push subscription has ended; removed');
          return;
        }
        await markFailed(platform, [row.id], error, isLast);
        throw error;
      }
      await markSent(platform, [row.id]);
    }),
  );
}

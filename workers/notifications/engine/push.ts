import { wordsOf } from '#contract/people/notifications/constants/words';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import { directionOf, theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Notification, NotificationDelivery } from '../../../prisma/generated/client.ts';
import {
  presentNotification,
  presentPreferences,
  readNames,
} from '../../../server/people/notifications/present.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { inLanguageOf } from '../../../server/platform/market/readers.ts';
import { isPublicUrl } from '../../../server/platform/process/push.ts';
import { OUTDATED } from '../../../server/platform/stores/timers.ts';
import type { Exclusive } from '../../delivery/exclusive.ts';
import type { PersonLimit } from '../../delivery/postpone.ts';
import { PUSH_KEY_SEPARATOR, partsOfKey } from '../../delivery/schedule.ts';
import {
  type Attempt,
  findOutdated,
  isSettled,
  markFailed,
  markSent,
  markSkipped,
} from './delivery.ts';
import {
  type PushCare,
  type PushClient,
  type PushPayload,
  PushRefusedError,
} from './push-client.ts';

/** Statuses of a subscription that has ended, by the browser or the push service. */
const GONE = new Set([404, 410]);

/**
 * Sends the push message of one delivery, with what is held for the same time as one, unless it was read meanwhile, is
 * no longer wanted or the subscription has ended.
 * @throws when the push service did not accept it, so that the job is retried; PostponedError while the person's limit
 * of running jobs is reached
 */
export async function deliverPush(
  platform: ProcessPlatform,
  tools: {
    exclusive: Exclusive;
    pushClient: Pick<PushClient, 'send'>;
    limit: PersonLimit;
    claimAlert: ClaimAlert;
  },
  { deliveryId, isLast }: Attempt,
): Promise<void> {
  const { db, env, log } = platform;
  const delivery = await db.notificationDelivery.findUnique({
    where: { id: deliveryId },
    select: { userId: true, key: true, about: true, isHeld: true, dueAt: true },
  });
  if (!delivery) return;
  await tools.limit.run(delivery.userId, () =>
    tools.exclusive.run(`push ${batchName(deliveryId, delivery)}`, async () => {
      const row = await db.notificationDelivery.findUnique({
        where: { id: deliveryId },
        include: { user: { select: { preferences: true, deletedAt: true, language: true } } },
      });
      if (!row || isSettled(row)) return;
      if ((await findOutdated(db, [row])).size > 0) {
        await markSkipped(db, [row.id], OUTDATED);
        return;
      }
      const { subscriptionId } = partsOfKey(row.key);
      const rows = row.isHeld ? await readHeld(db, row) : [row];
      const ids = rows.map(({ id }) => id);
      // The browser may belong to another person by now.
      const subscription = await db.pushSubscription.findUnique({
        where: { id: subscriptionId, userId: row.userId },
      });
      if (!subscription || row.user.deletedAt) {
        await markSkipped(db, ids);
        return;
      }
      const remove = async () => {
        await db.pushSubscription.deleteMany({ where: { id: subscription.id } });
        await markSkipped(db, ids);
      };
      // It may have been subscribed before the server looked at all of the address.
      if (!isPublicUrl(env, subscription.endpoint)) return remove();
      const message =
        (await tools.claimAlert(platform, rows, row.user.language)) ??
        (await claimUnread(platform, rows, row.user));
      if (!('payload' in message)) return;
      try {
        await tools.pushClient.send(subscription, message.payload, message.care);
      } catch (error) {
        if (error instanceof PushRefusedError && GONE.has(error.status)) {
          await remove();
          log.info({ status: error.status }, 'Push subscription has ended; removed');
          return;
        }
        await markFailed(platform, message.ids, error, isLast);
        throw error;
      }
      await markSent(platform, message.ids, message.afterSent);
    }),
  );
}

/** What is sent of a claimed push: nothing where no delivery is left. */
export type ClaimedPush =
  | { ids: readonly [] }
  | {
      ids: readonly [string, ...string[]];
      payload: PushPayload;
      care?: PushCare;
      /** What follows in the transaction that marks it as sent. */
      afterSent?: (tx: Transaction) => Promise<void>;
    };

/**
 * Marks what is sent of an alert's push as `sending`, and writes its message, while what it asks for still waits; the
 * others are skipped. @returns nothing where it is of no alert
 */
export type ClaimAlert = (
  platform: Pick<ProcessPlatform, 'db' | 'env'>,
  rows: readonly NotificationDelivery[],
  language: string | null,
) => Promise<ClaimedPush | undefined>;

/** Marks the pushes of notifications as `sending`, unless all were read meanwhile or are no longer wanted. */
async function claimUnread(
  { db }: Pick<ProcessPlatform, 'db'>,
  rows: readonly NotificationDelivery[],
  user: { preferences: unknown; language: string | null },
): Promise<ClaimedPush> {
  const ids = rows.map(({ id }) => id);
  const unread = await db.notification.findMany({
    where: {
      userId: { in: rows.map(({ userId }) => userId) },
      key: { in: rows.map(({ key }) => partsOfKey(key).notificationKey) },
      readAt: null,
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const preferences = presentPreferences(user.preferences);
  const wanted = unread.filter(({ kind }) => preferences[kind as NotificationKind].push);
  const last = wanted.at(-1);
  const [first, ...others] = ids;
  if (!last || !first) {
    await markSkipped(db, ids);
    return { ids: [] };
  }
  await db.notificationDelivery.updateMany({
    where: { id: { in: ids } },
    data: { status: 'sending' },
  });
  const payload = await inLanguageOf(user.language, () => write(db, last, wanted.length - 1));
  return { ids: [first, ...others], payload };
}

/** Writes the message of a notification, and of so many others that go with it, for the present reader. */
async function write(db: Database, row: Notification, more: number): Promise<PushPayload> {
  const { title, body } = wordsOf(presentNotification(row, await readNames(db, [row])));
  const { language } = theReader();
  return {
    title,
    body: more > 0 ? t('{body} (and {count} more)', { body, count: more }) : body,
    link: row.link,
    tag: row.id,
    lang: language,
    dir: directionOf(language),
  };
}

type HeldRow = Pick<NotificationDelivery, 'userId' | 'key' | 'about' | 'isHeld' | 'dueAt'>;

/** Returns what the jobs of one message share. */
const batchName = (id: string, { userId, key, about, isHeld, dueAt }: HeldRow): string =>
  isHeld ? `${userId} ${about} ${partsOfKey(key).subscriptionId} ${dueAt.toISOString()}` : id;

/** Returns what goes in the same message to the same browser. */
const readHeld = (db: Database, { userId, key, about, isHeld, dueAt }: HeldRow) =>
  db.notificationDelivery.findMany({
    where: {
      userId,
      about,
      isHeld,
      dueAt,
      channel: 'push',
      restoredAt: null,
      key: { endsWith: PUSH_KEY_SEPARATOR + partsOfKey(key).subscriptionId },
      status: { notIn: ['sent', 'skipped'] },
    },
  });

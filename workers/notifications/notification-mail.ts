import { theMarket } from '#contract/platform/market/constants';
import type { Notification, NotificationDelivery } from '../../prisma/generated/client.ts';
import { unsubscribeLink } from '../../server/people/notifications/unsubscribe.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { definitionOf } from './definitions.ts';
import { compose } from './engine/compose.ts';
import { counted, greeting, singleLine } from './engine/wording.ts';

type Row = Pick<NotificationDelivery, 'kind' | 'key' | 'isHeld'>;

/** Notifications that one mail shows; of more it shows the last ones and counts the others. */
const SHOWN_MAX = 10;

/** Composes the mail of the notifications of a batch. */
export async function composeNotifications(
  { db, env }: Pick<ProcessPlatform, 'db' | 'env'>,
  batch: readonly Row[],
  receiver: { id: string; name: string },
) {
  const notifications = await db.notification.findMany({
    where: { userId: receiver.id, key: { in: batch.map(({ key }) => key) } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const shown = notifications.slice(-SHOWN_MAX);
  const earlierCount = notifications.length - shown.length;
  const parts = await Promise.all(
    shown.map(async ({ kind, key, title, body, link }) => {
      const definition = definitionOf(kind);
      return {
        title: singleLine(title),
        body: singleLine(body),
        table: await definition?.table?.(db, key),
        link: env.PUBLIC_URL + link,
        action: definition?.action ?? 'Take a look',
      };
    }),
  );
  const [definition, ...others] = [...new Set(batch.map(({ kind }) => definitionOf(kind)))];
  const market = theMarket().name;
  // Where a mail has several kinds there is no one thing to turn off.
  const unsubscribe =
    definition && others.length === 0
      ? { unsubscribeUrl: unsubscribeLink(env, { userId: receiver.id, kind: definition.kind }) }
      : {};
  const mail = compose({
    subject: subjectOf(notifications, batch[0]?.isHeld ?? false),
    greeting: greeting(receiver.name),
    parts,
    footer: `${earlierCount > 0 ? `${counted(earlierCount, 'earlier notification')} of the last hour ${earlierCount === 1 ? 'is' : 'are'} on ${market}. ` : ''}You get this email because you have a ${market} account. Choose what we email you in your profile.`,
    ...unsubscribe,
  });
  return { ...mail, ...unsubscribe };
}

/** Returns the subject of a mail. `isHeld`: its notifications waited for each other, and may all be about one order. */
function subjectOf(
  notifications: readonly Pick<Notification, 'kind' | 'title' | 'link'>[],
  isHeld: boolean,
): string {
  const last = notifications.at(-1);
  const definition = last && definitionOf(last.kind);
  if (!definition || notifications.some(({ kind }) => kind !== last.kind)) {
    return `News from ${theMarket().name}`;
  }
  const { digest, subject } = definition;
  const isOfOneThing = isHeld && notifications.every(({ link }) => link === last.link);
  return digest && notifications.length > 1 && !isOfOneThing
    ? digest(notifications.length)
    : subject(last);
}

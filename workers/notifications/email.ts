import type { NotificationDelivery } from '../../prisma/generated/client.ts';
import { presentPreferences } from '../../server/notifications/present.ts';
import type { Platform } from '../../server/platform/platform.ts';
import { transact } from '../../server/platform/postgres.ts';
import type { Exclusive } from '../exclusive.ts';
import { compose } from './compose.ts';
import type { Definition } from './definition.ts';
import { definitionOf } from './definitions.ts';
import { markFailed, markSent, markSkipped, type Try } from './delivery.ts';
import type { Mailer } from './mailer.ts';
import { makeResetLink } from './password-reset.ts';

type Row = NotificationDelivery;

interface Receiver {
  id: string;
  name: string;
  email: string;
}

/**
 * Sends the mail that a row of the ledger asks for, unless it was read meanwhile or is no longer
 * wanted. Kinds that come in crowds go out together: what is unsent of the kind for the person is
 * fixed as one batch before the first try, and the batch is tried by its oldest row's job alone.
 * @throws when the mail was not taken, for the job to be tried again
 */
export async function deliverEmail(
  platform: Platform,
  tools: { exclusive: Exclusive; mailer: Mailer },
  { deliveryId, isLast }: Try,
): Promise<void> {
  const row = await platform.db.notificationDelivery.findUnique({ where: { id: deliveryId } });
  if (!row) return;
  const definition = definitionOf(row.kind);
  const name = definition?.digest ? `${row.userId} ${row.kind}` : row.id;
  await tools.exclusive.run(`email ${name}`, async () => {
    const { batch, receiver } = await claim(platform, deliveryId, definition);
    const ids = batch.map(({ id }) => id);
    if (!receiver || ids.length === 0) return;
    try {
      const letter = definition
        ? await aboutNotifications(platform, definition, batch, receiver)
        : await aboutReset(platform, deliveryId, receiver);
      await tools.mailer.send({
        id: ids[0] ?? deliveryId,
        to: { name: receiver.name, address: receiver.email },
        ...letter,
      });
    } catch (error) {
      await markFailed(platform, ids, error, isLast);
      throw error;
    }
    await markSent(platform, ids);
  });
}

/**
 * Fixes which rows the mail is about, by marking them `sending`. A batch that was fixed before and
 * has no end yet is the same batch again.
 */
async function claim(
  { db }: Platform,
  deliveryId: string,
  definition: Definition | undefined,
): Promise<{ batch: Row[]; receiver: Receiver | null }> {
  const nothing = { batch: [], receiver: null };
  return transact(db, async (tx) => {
    const row = await tx.notificationDelivery.findUnique({ where: { id: deliveryId } });
    if (!row || row.status === 'sent' || row.status === 'skipped') return nothing;
    const receiver = await tx.user.findUnique({
      where: { id: row.userId, deletedAt: null },
      select: { id: true, name: true, email: true, preferences: true },
    });
    if (!receiver) {
      await markSkipped(tx, [row.id]);
      return nothing;
    }
    const crowd = definition?.digest
      ? await tx.notificationDelivery.findMany({
          where: {
            userId: row.userId,
            kind: row.kind,
            channel: 'email',
            // One that is tried again by hand brings those that failed with it.
            status: {
              in: ['pending', 'sending', ...(row.status === 'failed' ? ['failed' as const] : [])],
            },
          },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        })
      : [row];
    const fixed = crowd.filter(({ status }) => status === 'sending');
    if (fixed.length > 0) {
      return fixed[0]?.id === row.id ? { batch: fixed, receiver } : nothing;
    }

    const isWanted = !definition || presentPreferences(receiver.preferences)[definition.kind].email;
    const unread = definition
      ? await tx.notification.findMany({
          where: { userId: row.userId, key: { in: crowd.map(({ key }) => key) }, readAt: null },
          select: { key: true },
        })
      : crowd;
    const unreadKeys = new Set(isWanted ? unread.map(({ key }) => key) : []);
    const batch = crowd.filter(({ key }) => unreadKeys.has(key));
    await markSkipped(
      tx,
      crowd.filter(({ key }) => !unreadKeys.has(key)).map(({ id }) => id),
    );
    await tx.notificationDelivery.updateMany({
      where: { id: { in: batch.map(({ id }) => id) } },
      data: { status: 'sending' },
    });
    return { batch, receiver };
  });
}

async function aboutNotifications(
  { db, env }: Platform,
  definition: Definition,
  batch: readonly Row[],
  receiver: Receiver,
) {
  const notifications = await db.notification.findMany({
    where: { userId: receiver.id, key: { in: batch.map(({ key }) => key) } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const [first] = notifications;
  const isDigest = notifications.length > 1;
  return compose({
    subject:
      isDigest && definition.digest
        ? definition.digest(notifications.length)
        : (first?.title ?? 'News from Farmgate'),
    greeting: `Hello ${receiver.name},`,
    parts: notifications.map(({ title, body, link }) => ({
      title,
      body,
      link: env.PUBLIC_URL + link,
      action: definition.action,
    })),
    footer:
      'You get this mail because you have a Farmgate account. Choose what is mailed to you in your profile.',
  });
}

async function aboutReset({ db, env }: Platform, deliveryId: string, receiver: Receiver) {
  const link = await makeResetLink(db, {
    secret: env.JWT_SECRET,
    publicUrl: env.PUBLIC_URL,
    userId: receiver.id,
    deliveryId,
  });
  return compose({
    subject: 'Set a new password',
    greeting: `Hello ${receiver.name},`,
    parts: [
      {
        body: 'Somebody asked for a new password for your Farmgate account. The link below works once, for an hour.',
        link,
        action: 'Set a new password',
      },
    ],
    footer: 'If it was not you, leave this mail alone: your password stays as it is.',
  });
}

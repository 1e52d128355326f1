import { theMarket } from '#contract/platform/market/constants';
import { excerpt } from '#contract/platform/text/constants/excerpts';
import { msg, t } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { isShown } from '../../../server/farm/messages/people.ts';
import { claimUnsolicited } from '../../../server/people/notifications/limited-mails.ts';
import { linksOf } from '../../../server/people/notifications/present.ts';
import type { Definition } from '../engine/definition.ts';

const PREFIX = 'message.unread:';

/** Notifies the receiver of an unread message, once until the thread is read. */
export const messageUnread: Definition<'message.unread'> = {
  kind: 'message.unread',
  reach: 'unsolicited',
  concerns: 'writeMessages',
  action: msg('Read and answer'),
  subject: () => t('New message on {market}', { market: theMarket().name }),
  isUrgent: true,
  reactions: {
    'message.created': ({ data: message }) => [
      {
        do: 'schedule',
        userId: message.receiver._id,
        kind: 'message.unread',
        key: PREFIX + message._id,
      },
    ],
    'messages.read': ({ data: { reader, sender } }) => [
      {
        do: 'settle',
        userId: reader,
        links: linksOf({ kind: 'conversation', _id: sender }),
        kinds: ['message.unread'],
      },
    ],
  },
  remind: async (key, tx, env) => {
    const message = await tx.message.findUnique({
      where: { id: key.slice(PREFIX.length) },
      include: { receiver: { select: { id: true, role: true } } },
    });
    if (!message || message.readAt) return [];
    const { senderId, receiverId } = message;
    // Its farm may have left the market since.
    if (!(await isShown(tx, message.receiver, senderId))) return [];
    // The key is the oldest unread message's, so that later ones do not notify again.
    const first = await tx.message.findFirst({
      where: { senderId, receiverId, readAt: null },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    if (!first) return [];
    const folder = message.receiver.role === 'admin' ? '/admin/messages' : '/messages';
    return [
      {
        do: 'notify',
        userId: receiverId,
        kind: 'message.unread',
        key: PREFIX + first.id,
        params: { sender: { _id: senderId }, content: excerpt(first.content) },
        link: `${folder}/${senderId}`,
        isMailed:
          (await isKnown(tx, senderId, receiverId)) ||
          (await claimUnsolicited(tx, env, { senderId, to: { farmId: receiverId } })),
      },
    ];
  },
};

/** Returns whether the receiver knows who writes: they have an order or a message of theirs, or it is an admin. */
async function isKnown(tx: Transaction, senderId: string, receiverId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isKnown: boolean }[]>`
    SELECT EXISTS (SELECT FROM users WHERE id = ${senderId}::uuid AND role = 'admin')
        OR EXISTS (SELECT FROM messages
                   WHERE sender_id = ${receiverId}::uuid AND receiver_id = ${senderId}::uuid)
        OR EXISTS (SELECT FROM orders
                   WHERE (consumer_id, farmer_id) IN ((${senderId}::uuid, ${receiverId}::uuid),
                                                      (${receiverId}::uuid, ${senderId}::uuid)))
      AS "isKnown"`;
  return row?.isKnown ?? false;
}

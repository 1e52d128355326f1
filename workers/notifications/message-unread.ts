import { personSelect, presentPerson } from '../../server/users/present.ts';
import type { Definition } from './definition.ts';
import { excerpt } from './wording.ts';

const PREFIX = 'message.unread:';

/** A message that stayed unread for a while, to its receiver; once until the thread is read. */
export const messageUnread: Definition = {
  kind: 'message.unread',
  action: 'Read and answer',
  isUrgent: true,
  reactions: {
    'message.created': ({ data: message }) => [
      {
        do: 'remind',
        userId: message.receiver._id,
        kind: 'message.unread',
        key: PREFIX + message._id,
      },
    ],
  },
  remind: async (key, tx) => {
    const message = await tx.message.findUnique({
      where: { id: key.slice(PREFIX.length) },
      include: { receiver: { select: { role: true } } },
    });
    if (!message || message.readAt) return [];
    const { senderId, receiverId } = message;
    // What goes on while the first message lies unread is said with it.
    const first = await tx.message.findFirst({
      where: { senderId, receiverId, readAt: null },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      include: { sender: { select: personSelect } },
    });
    if (!first) return [];
    const folder = message.receiver.role === 'admin' ? '/admin/messages' : '/messages';
    return [
      {
        do: 'tell',
        userId: receiverId,
        kind: 'message.unread',
        key: PREFIX + first.id,
        title: `Unread message from ${presentPerson(first.sender).name}`,
        body: excerpt(first.content),
        link: `${folder}/${senderId}`,
      },
    ];
  },
};

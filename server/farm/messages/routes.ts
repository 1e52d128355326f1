import { messagesApi } from '#contract/farm/messages/messages';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { voiceOf } from './people.ts';
import { listConversations, markThreadRead, readThread, sendMessage } from './service.ts';

/** Routes of messages and conversations. */
export const messagesRoutes = (platform: Platform): Route[] => [
  route(messagesApi.send, async ({ user, body }) => ({
    data: await sendMessage(platform, voiceOf(user), body),
  })),

  route(messagesApi.conversations, async ({ user, query }) => {
    const page = await listConversations(platform, voiceOf(user), query);
    return { ...listAnswer(page), unreadCount: page.unreadCount };
  }),

  route(messagesApi.markRead, async ({ user, params }) => ({
    data: await markThreadRead(platform, voiceOf(user), params.userId),
  })),

  route(messagesApi.thread, async ({ user, params, query }) => {
    const thread = await readThread(platform, voiceOf(user), params.userId, query);
    return {
      data: thread.messages,
      count: thread.messages.length,
      nextCursor: thread.nextCursor,
      user: thread.user,
      mayWrite: thread.mayWrite,
    };
  }),
];

import { messagesApi } from '#contract/messages';
import type { Platform } from '../platform/platform.ts';
import { listAnswer, type Route, route } from '../platform/route.ts';
import { listConversations, markThreadRead, readThread, sendMessage } from './service.ts';

/** The calls around messages and conversations. */
export const messagesRoutes = (platform: Platform): Route[] => [
  route(messagesApi.send, async ({ user, body }) => ({
    data: await sendMessage(platform, user, body),
  })),

  route(messagesApi.conversations, async ({ user, query }) =>
    listAnswer(await listConversations(platform, user.id, query)),
  ),

  route(messagesApi.markRead, async ({ user, params }) => ({
    data: await markThreadRead(platform, user.id, params.userId),
  })),

  route(messagesApi.thread, async ({ user, params, query }) => {
    const thread = await readThread(platform, user, params.userId, query);
    return {
      data: thread.messages,
      count: thread.messages.length,
      nextCursor: thread.nextCursor,
      user: thread.user,
      mayWrite: thread.mayWrite,
    };
  }),
];

import type { Calls } from '#contract/platform/http/constants';

export const MESSAGE_MAX = 2000;
/** Messages of a thread per page. */
export const THREAD_LIMIT = { default: 50, max: 100 } as const;

export const messagesApi = {
  send: { method: 'POST', path: '/messages' },
  conversations: { method: 'GET', path: '/messages' },
  thread: { method: 'GET', path: '/messages/:userId' },
  markRead: { method: 'PUT', path: '/messages/read/:userId' },
} as const satisfies Calls;

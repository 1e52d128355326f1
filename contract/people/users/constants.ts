import type { Calls } from '#contract/platform/http/constants';

export { DELETED_USER_NAME } from '#contract/platform/text/constants/shared-texts';

/** How an admin can sort the list of users. */
export const USER_SORTS = ['newest', 'oldest', 'name'] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** By what an admin can narrow the list of users: who is suspended, whom no mail reaches, or whose farm has nothing for sale. */
export const USER_STATES = ['suspended', 'unreachable', 'nothingForSale'] as const;
export type UserState = (typeof USER_STATES)[number];

export const usersApi = {
  updateProfile: { method: 'PUT', path: '/users/profile' },
  list: { method: 'GET', path: '/users' },
  outlook: { method: 'GET', path: '/users/me/deletion' },
  removeOwn: { method: 'DELETE', path: '/users/me' },
  remove: { method: 'DELETE', path: '/users/:id' },
  mailAgain: { method: 'POST', path: '/users/:id/mail-again' },
} as const satisfies Calls;

import type { Calls } from '#contract/constants/http';

/** What a deleted account is called wherever the other side still sees it. */
export const DELETED_USER_NAME = 'Deleted user';

/** Method and path of each call; `#contract/users` has the whole endpoints, with their schemas. */
export const usersApi = {
  updateProfile: { method: 'PUT', path: '/users/profile' },
  list: { method: 'GET', path: '/users' },
  remove: { method: 'DELETE', path: '/users/:id' },
} as const satisfies Calls;

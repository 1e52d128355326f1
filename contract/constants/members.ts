import type { Calls } from '#contract/constants/http';

/** Members and open invitations that one farm can have. */
export const MEMBERS_MAX = 50;
/** Days for which an invitation can be accepted. */
export const INVITE_VALID_DAYS = 7;

/** Method and path of each call; `#contract/members` has the endpoints with their schemas. */
export const membersApi = {
  farm: { method: 'GET', path: '/farm' },
  list: { method: 'GET', path: '/farm/members' },
  invite: { method: 'POST', path: '/farm/members' },
  update: { method: 'PUT', path: '/farm/members/:id' },
  remove: { method: 'DELETE', path: '/farm/members/:id' },
  invitation: { method: 'GET', path: '/invites/:token' },
  accept: { method: 'POST', path: '/invites/:token/accept' },
} as const satisfies Calls;

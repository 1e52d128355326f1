import type { Calls } from '#contract/platform/http/constants';

/** Members and open invitations that one farm can have. */
export const MEMBERS_MAX = 50;
/** Open invitations to one address that one answer has at most. */
export const OWN_INVITATIONS_MAX = 50;
/** Days for which an invitation can be accepted. */
export const INVITE_VALID_DAYS = 7;

export const membersApi = {
  farm: { method: 'GET', path: '/farm' },
  list: { method: 'GET', path: '/farm/members' },
  invite: { method: 'POST', path: '/farm/members' },
  inviteByLink: { method: 'POST', path: '/farm/members/link' },
  update: { method: 'PUT', path: '/farm/members/:id' },
  remove: { method: 'DELETE', path: '/farm/members/:id' },
  ownInvitations: { method: 'GET', path: '/invites' },
  invitation: { method: 'GET', path: '/invites/:token' },
  accept: { method: 'POST', path: '/invites/:token/accept' },
} as const satisfies Calls;

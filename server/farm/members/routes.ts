import { membersApi } from '#contract/farm/members/members';
import { readSource } from '../../people/auth/sources.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { acceptInvitation, listOwnInvitations, readInvitation } from './accept.ts';
import { inviteMember, listMembers, readOwnFarm, updateMember } from './service.ts';

/** Routes of the people of a farm, and of their invitations. Removing them stands with the deletion of accounts. */
export const membersRoutes = (platform: Platform): Route[] => [
  route(membersApi.farm, async ({ user }) => ({ data: await readOwnFarm(platform, user) })),
  route(membersApi.list, async ({ user }) => ({ data: await listMembers(platform, user) })),
  route(membersApi.invite, async ({ user, body }) => ({
    data: await inviteMember(platform, user, body),
  })),
  route(membersApi.update, async ({ params, user, body }) => ({
    data: await updateMember(platform, user, params.id, body),
  })),
  route(membersApi.ownInvitations, async ({ user }) => ({
    data: await listOwnInvitations(platform, user),
  })),
  route(membersApi.invitation, async ({ params, user }) => ({
    data: await readInvitation(platform, params.token, user),
  })),
  route(membersApi.accept, ({ params, user, body, ctx }) =>
    acceptInvitation(platform, {
      token: params.token,
      user,
      input: body,
      source: readSource(ctx),
    }),
  ),
];

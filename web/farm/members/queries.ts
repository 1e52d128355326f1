import { queryOptions } from '@tanstack/react-query';
import { membersApi } from '#contract/farm/members/constants';
import { call } from '../../platform/api/api.ts';
import { membersKeys } from './keys.ts';

/** Everyone who works for the signed-in person's farm, and open invitations. */
export const membersQuery = () =>
  queryOptions({
    queryKey: membersKeys.list(),
    queryFn: async ({ signal }) => (await call(membersApi.list, { signal })).data,
  });

/** The open invitations to the signed-in person's own address. */
export const ownInvitationsQuery = () =>
  queryOptions({
    queryKey: membersKeys.own(),
    queryFn: async ({ signal }) => (await call(membersApi.ownInvitations, { signal })).data,
  });

/** What the invitation behind a link offers. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: membersKeys.invitation(token),
    queryFn: async ({ signal }) =>
      (await call(membersApi.invitation, { params: { token }, signal })).data,
  });

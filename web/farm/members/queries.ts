import { queryOptions } from '@tanstack/react-query';
import { membersApi } from '#contract/farm/members/constants';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The keys of a farm's people in the query cache; each begins with `all`. */
export const membersKeys = {
  all: ['members'] as const,
  list: () => ['members', 'list'] as const,
  own: () => ['members', 'own invitations'] as const,
  invitation: (token: string) => ['members', 'invitation', token] as const,
};

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

/** Keeps the people of the farm current. The event has no names and addresses, so they are fetched again. */
export const memberReducers = {
  'member.changed': (cache) => refetch(cache, membersKeys.list()),
} satisfies FeatureReducers;

import { queryOptions } from '@tanstack/react-query';
import { membersApi } from '#contract/farm/members/constants';
import { dataOf } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** Everyone who works for the signed-in person's farm, and open invitations. */
export const membersQuery = () =>
  queryOptions({ queryKey: ['members', 'list'], queryFn: dataOf(membersApi.list) });

/** The open invitations to the signed-in person's own address. */
export const ownInvitationsQuery = () =>
  queryOptions({ queryKey: ['members', 'own'], queryFn: dataOf(membersApi.ownInvitations) });

/** What the invitation behind a link offers. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['members', 'invitation', token],
    queryFn: dataOf(membersApi.invitation, { params: { token } }),
  });

/** Keeps the people of the farm current. The event has no names and addresses, so they are fetched again. */
export const memberReducers = {
  'member.changed': (cache) => refetch(cache, membersQuery().queryKey),
} satisfies FeatureReducers;

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { membersApi } from '#contract/farm/members/constants';
import type {
  AcceptInvitation,
  InviteMember,
  Member,
  UpdateMember,
} from '#contract/farm/members/members';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { membersKeys } from './queries.ts';

/** Invites an address, by mail where the limits allow it; whether it was mailed is not known. */
export function useInviteMember() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: InviteMember) => call(membersApi.invite, { body }),
    onSuccess: ({ data }) => {
      refetch(cache, membersKeys.list());
      toast.success(`${data.email} is invited.`);
    },
    onError: toastError,
  });
}

/** Changes a member's role or alerts. */
export function useUpdateMember() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ member, change }: { member: Member; change: UpdateMember }) =>
      call(membersApi.update, { params: { id: member._id }, body: change }),
    onSuccess: () => refetch(cache, membersKeys.list()),
    onError: toastError,
  });
}

/** Removes a member, which ends the session of somebody who leaves, or withdraws an invitation. */
export function useRemoveMember(meId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (member: Member) => call(membersApi.remove, { params: { id: member._id } }),
    onSuccess: (_, { user, email }) => {
      refetch(cache, membersKeys.list());
      if (user?._id === meId) toast.success('You have left the farm. Sign in again to go on.');
      else toast.success(user ? `${user.name} was removed.` : `${email} is no longer invited.`);
    },
    onError: toastError,
  });
}

/** Accepts an invitation; the answer is a session of the account that did. */
export function useAcceptInvitation(token: string) {
  return useMutation({
    mutationFn: (body: AcceptInvitation) => call(membersApi.accept, { params: { token }, body }),
    onError: toastError,
  });
}

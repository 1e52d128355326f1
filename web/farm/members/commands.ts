import { membersApi } from '#contract/farm/members/constants';
import type {
  AcceptInvitation,
  InviteByLink,
  InviteMember,
  Member,
  UpdateMember,
} from '#contract/farm/members/members';
import { readableEmail } from '#contract/platform/http/email';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { membersQuery } from './queries.ts';

/** Invites an address, by mail where the limits allow it; whether it was mailed is not known. */
export const useInviteMember = () =>
  useCommand((body: InviteMember) => call(membersApi.invite, { body }), {
    refetches: membersQuery().queryKey,
    done: ({ data }) => t('{email} is invited.', { email: readableEmail(data.email) }),
  });

/** Makes a link that invites whoever gets it. */
export const useInviteByLink = () =>
  useCommand((body: InviteByLink) => call(membersApi.inviteByLink, { body }), {
    refetches: membersQuery().queryKey,
  });

/** Changes a member's role or alerts. */
export const useUpdateMember = () =>
  useCommand(
    ({ member, change }: { member: Member; change: UpdateMember }) =>
      call(membersApi.update, { params: { id: member._id }, body: change }),
    { refetches: membersQuery().queryKey },
  );

/** Removes a member, which ends the session of somebody who leaves, or withdraws an invitation. */
export const useRemoveMember = (meId: string) =>
  useCommand(({ _id }: Member) => call(membersApi.remove, { params: { id: _id } }), {
    refetches: membersQuery().queryKey,
    done: (_, { user, email }) => {
      if (user?._id === meId) return t('You have left the farm. Sign in again to go on.');
      if (user) return t('{name} was removed.', { name: user.name });
      return email === ''
        ? t('The link is withdrawn.')
        : t('{email} is no longer invited.', { email: readableEmail(email) });
    },
  });

/** Accepts an invitation; the answer is a session of the account that did. */
export const useAcceptInvitation = (token: string) =>
  useCommand((body: AcceptInvitation) => call(membersApi.accept, { params: { token }, body }));

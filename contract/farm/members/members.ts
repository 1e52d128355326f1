import { membersApi as calls } from '#contract/farm/members/constants';
import { AcceptsTerms, NewPassword, Session } from '#contract/people/auth/auth';
import { FarmRole, Person } from '#contract/people/users/users';
import { event, Reference } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Email,
  Id,
  Instant,
  idParams,
  named,
  one,
  oneLine,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { FARM_PERMISSION_NAMES } from '#contract/platform/session/constants';
import { t } from '#contract/platform/text/constants/texts';

/** The farm somebody works for, and what they may do there. */
export const OwnFarm = named('OwnFarm', {
  _id: Id,
  farmName: z.string(),
  /** IANA name; the farm's days and times are by its clock. */
  timeZone: z.string(),
  role: FarmRole,
  permissions: z.array(z.enum(FARM_PERMISSION_NAMES)),
});
export type OwnFarm = z.infer<typeof OwnFarm>;

/** Somebody who works on a farm, or is invited to. */
export const Member = named('Member', {
  _id: Id,
  /** Null while invited. */
  user: Person.nullable(),
  /** Empty for an invitation by a link that somebody hands on. */
  email: z.string(),
  role: FarmRole,
  /** Whether they are notified of what concerns the farm. */
  alerts: z.boolean(),
  state: z.enum(['invited', 'active']),
  /** Whether they registered the farm, which carries their account's id. */
  isFounder: z.boolean(),
  /** When the invitation ends; null for active members. */
  invitedUntil: Instant.nullable(),
  /** A mail server refuses the email permanently; absent unless one does. */
  isUnreachable: z.literal(true).optional(),
});
export type Member = z.infer<typeof Member>;

export const InviteMember = z.object({ email: Email, role: FarmRole });
export type InviteMember = z.infer<typeof InviteMember>;

export const InviteByLink = z.object({ role: FarmRole });
export type InviteByLink = z.infer<typeof InviteByLink>;

/** An invitation with its link, which is known to nobody but its reader from then on. */
export const InvitationLink = named('InvitationLink', {
  /** Of the invitation, as it is among the farm's people. */
  _id: Id,
  url: z.string(),
  invitedUntil: Instant,
});
export type InvitationLink = z.infer<typeof InvitationLink>;

export const UpdateMember = z
  .object({ role: FarmRole.optional(), alerts: z.boolean().optional() })
  .refine(({ role, alerts }) => role !== undefined || alerts !== undefined, {
    error: () => t('Say what is to change: the role or the alerts.'),
  });
export type UpdateMember = z.infer<typeof UpdateMember>;

const InvitingFarm = named('InvitingFarm', { _id: Id, farmName: z.string() });

/** What an invitation says to anyone who has its link, or its address. */
export const Invitation = named('Invitation', {
  farm: InvitingFarm,
  role: FarmRole,
  /** Empty where whoever has the link is invited. */
  email: z.string(),
  invitedUntil: Instant,
});
export type Invitation = z.infer<typeof Invitation>;

/** An invitation to the caller's own address, which its `_id` opens as its mailed token does. */
export const OwnInvitation = Invitation.extend({ _id: Id }).meta({ id: 'OwnInvitation' });
export type OwnInvitation = z.infer<typeof OwnInvitation>;

/** A new account needs name and password, and an email where the invitation names none; somebody signed in nothing. */
export const AcceptInvitation = z.object({
  name: oneLine(100, () => t('Name is required')).optional(),
  email: Email.optional(),
  password: NewPassword.optional(),
  acceptsTerms: AcceptsTerms,
});
export type AcceptInvitation = z.infer<typeof AcceptInvitation>;

const inviteParams = z.object({
  token: text(200).min(1, { error: () => t('Invitation not found') }),
});
const memberParams = idParams(() => t('Member not found'));

export const memberEvents = {
  'member.changed': event({
    data: Reference,
    summary:
      'Somebody was invited to a farm, joined or left it, got another role, or can be reached by mail no more, or again.',
    audience: 'Everyone who works for the farm.',
    rooms: [['farm']],
  }),
};

export const membersApi = endpoints(calls, {
  farm: {
    summary: 'The farm the caller works for, and what they may do there',
    ...forFarm('read'),
    answer: one(OwnFarm),
  },
  list: {
    summary: 'Everyone who works for the farm, and open invitations, in the order they came',
    ...forFarm('read'),
    answer: one(z.array(Member)),
  },
  invite: {
    summary:
      'Invite an address: by mail, within the limits of its sender, and in the app; the same address again gets the new role',
    ...forFarm('manageMembers'),
    body: InviteMember,
    answer: one(Member),
    status: 201,
    failures: [403],
  },
  inviteByLink: {
    summary: 'Invite one person by a link to be handed on; they confirm their email later',
    ...forFarm('manageMembers'),
    body: InviteByLink,
    answer: one(InvitationLink),
    status: 201,
    notRepeatable: 'Its answer is a secret, which is stored nowhere.',
  },
  update: {
    summary: 'Change the role of a member, or whether they are notified of what concerns the farm',
    ...forFarm('read'),
    params: memberParams,
    body: UpdateMember,
    answer: one(Member),
    failures: [403],
  },
  remove: {
    summary: 'Remove a member, who is signed out at once, or withdraw an invitation',
    ...forFarm('read'),
    params: memberParams,
    failures: [403],
  },
  ownInvitations: {
    summary: "Open invitations to the caller's own, verified address",
    access: ['consumer', 'farmer', 'admin'],
    answer: one(z.array(OwnInvitation)),
  },
  invitation: {
    summary:
      'Which farm invites, and as what; by its mailed token, or by its id to anyone who is signed in with its address',
    access: 'optional',
    params: inviteParams,
    answer: one(Invitation),
    rate: 'reset',
  },
  accept: {
    summary: 'Accept an invitation, with a new account or signed in',
    access: 'optional',
    params: inviteParams,
    body: AcceptInvitation,
    answer: Session,
    rate: 'reset',
    failures: [400, 403, 409],
    readsDeviceId: true,
  },
});

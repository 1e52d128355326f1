import { useQuery } from '@tanstack/react-query';
import { QrCode, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { INVITE_VALID_DAYS } from '#contract/farm/members/constants';
import { InviteMember, type Member } from '#contract/farm/members/members';
import { UNSOLICITED_PER_DAY } from '#contract/people/notifications/constants';
import type { User } from '#contract/people/users/users';
import { readableEmail } from '#contract/platform/http/email';
import { FARM_ROLES, type FarmRole } from '#contract/platform/session/constants';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { mayForFarm } from '../../platform/session/session.ts';
import { ConfirmDialog, Dialog, FormButtons } from '../../platform/ui/dialogs/Dialog.tsx';
import { Alert, Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { Checkbox, Options, Select } from '../../platform/ui/fields/controls.tsx';
import { EmailInput, Field, Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { Badge, Button } from '../../platform/ui/primitives/Button.tsx';
import { CopyLinkButton } from '../../platform/ui/primitives/CopyLinkButton.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { useInviteByLink, useInviteMember, useRemoveMember, useUpdateMember } from './commands.ts';
import { ROLE_NAMES, ROLE_TEXTS } from './OwnInvitations.tsx';
import { membersQuery } from './queries.ts';

// What draws codes is loaded for those who show one.
const Qr = lazyWithRetry(async () => ({
  default: (await import('../../platform/ui/Qr.tsx')).Qr,
}));

/** Returns how somebody is named who may be invited by a link alone. */
const nameOf = ({ user, email }: Member): string =>
  user?.name ?? (readableEmail(email) || t('Whoever has the link'));

/** Who works for the farm: owners invite people, change their roles and remove them. */
export function MembersPart({ me }: { me: User }) {
  const query = useQuery(membersQuery());
  const [isInviting, setIsInviting] = useState(false);
  const [toRemove, setToRemove] = useState<Member | null>(null);
  const mayManage = mayForFarm(me, 'manageMembers');
  return (
    <Card as="section" aria-labelledby="people" className="max-w-3xl">
      <CardHeader id="people" title={t('People')}>
        {mayManage && (
          <Button icon={<UserPlus />} size="sm" onClick={() => setIsInviting(true)}>
            {t('Invite someone')}
          </Button>
        )}
      </CardHeader>
      <Fetched query={query} skeleton={<SkeletonRows rows={3} />}>
        {(members) => (
          <ul className="grid divide-y divide-hairline">
            {members.map((member) => (
              <MemberRow
                key={member._id}
                {...{ member, me, mayManage, members }}
                onRemove={() => setToRemove(member)}
              />
            ))}
          </ul>
        )}
      </Fetched>
      {isInviting && <InviteDialog me={me} onClose={() => setIsInviting(false)} />}
      {toRemove && <RemoveDialog member={toRemove} me={me} onClose={() => setToRemove(null)} />}
    </Card>
  );
}

/** Names whom of the farm's people no mail reaches, and what they do about it. Renders nothing without such people. */
export function UnreachableMembers({ me }: { me: User }) {
  const { data = [] } = useQuery(membersQuery());
  // Their own address is said on every page.
  const others = data.filter((each) => each.isUnreachable && each.user?._id !== me._id);
  if (others.length === 0) return null;
  return (
    <Alert kind="warning" className="mb-4 max-w-3xl">
      {others.map(({ _id, user, email }) => (
        <p key={_id} className="wrap-anywhere">
          {user
            ? t(
                "We can't reach {name} at {email}: no mail about orders arrives there. They correct it in their profile.",
                { name: user.name, email: readableEmail(email) },
              )
            : t(
                "We can't reach {email}, so the invitation was not delivered. Withdraw it and invite the right address.",
                { email: readableEmail(email) },
              )}
        </p>
      ))}
    </Alert>
  );
}

function MemberRow({
  member,
  me,
  mayManage,
  members,
  onRemove,
}: {
  member: Member;
  me: User;
  mayManage: boolean;
  members: readonly Member[];
  onRemove: () => void;
}) {
  const update = useUpdateMember();
  const isMe = member.user?._id === me._id;
  const name = nameOf(member);
  const mayChangeRole = mayManage && !member.isFounder;
  const isOnlyOwner = isLastOwner(member, members);
  return (
    <li className="grid gap-3 py-4 first:pt-0 last:pb-0 sm:grid-cols-[1fr_auto] sm:items-center">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="wrap-anywhere">{name}</bdi>
          {isMe && <Badge>{t('You')}</Badge>}
          {member.state === 'invited' && <Badge tone="straw">{t('Invited')}</Badge>}
          {member.isUnreachable && <Badge tone="tomato">{t("Can't be reached")}</Badge>}
        </p>
        {member.user && (
          <p className="break-all text-sm text-ink-soft">{readableEmail(member.email)}</p>
        )}
        <p className="text-sm text-ink-soft">
          {!mayChangeRole && <>{t('{role}.', { role: ROLE_NAMES[member.role] })} </>}
          {writeMessage(ROLE_TEXTS[member.role])}
          {member.invitedUntil && (
            <>
              {' '}
              {rich('The invitation is open until {date}.', {
                date: <Time value={member.invitedUntil} as="date" />,
              })}
            </>
          )}
          {isMe && isOnlyOwner && members.length > 1 && (
            <> {t('To leave, make somebody else an owner first.')}</>
          )}
        </p>
        {member.user && (isMe || mayManage) && (
          <Checkbox
            label={
              isMe ? t('Tell me about new orders and stock') : t('Is told about orders and stock')
            }
            checked={member.alerts}
            disabled={update.isPending}
            onChange={(event) =>
              update.mutate({ member, change: { alerts: event.target.checked } })
            }
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {mayChangeRole && (
          <Select
            aria-label={t('Role of {name}', { name })}
            value={member.role}
            disabled={update.isPending}
            onChange={(event) =>
              update.mutate({ member, change: { role: event.target.value as FarmRole } })
            }
          >
            <Options of={FARM_ROLES.map((role) => [role, writeMessage(ROLE_NAMES[role])])} />
          </Select>
        )}
        {!isOnlyOwner && (isMe || mayChangeRole) && (
          <Button
            variant="danger-quiet"
            size="sm"
            aria-label={
              isMe
                ? t('Leave the farm')
                : member.user
                  ? t('Remove {name}', { name })
                  : t('Withdraw {name}', { name })
            }
            onClick={onRemove}
          >
            {isMe ? t('Leave') : member.user ? t('Remove') : t('Withdraw')}
          </Button>
        )}
      </div>
    </li>
  );
}

const isOwner = ({ state, role }: Member): boolean => state === 'active' && role === 'owner';

/** Returns whether somebody is the farm's only owner. */
const isLastOwner = (member: Member, members: readonly Member[]): boolean =>
  isOwner(member) && members.filter(isOwner).length === 1;

function RemoveDialog({ member, me, onClose }: { member: Member; me: User; onClose: () => void }) {
  const remove = useRemoveMember(me._id);
  const isMe = member.user?._id === me._id;
  const name = nameOf(member);
  const texts = isMe
    ? {
        title: t('Leave this farm?'),
        description: member.isFounder
          ? t(
              "The farm goes on with its other people. You'll be signed out, and see its orders no longer. Your account stays: sign in with the same email and password.",
            )
          : t(
              "You'll be signed out, and see its orders no longer. Your account stays: sign in with the same email and password.",
            ),
        confirmLabel: t('Leave the farm'),
      }
    : member.user
      ? {
          title: t('Remove {name}?', { name }),
          description: t('They are signed out everywhere at once.'),
          confirmLabel: t('Remove'),
        }
      : {
          title: t('Withdraw the invitation to {name}?', { name }),
          description: t('They can no longer accept it, and its link stops working.'),
          confirmLabel: t('Withdraw'),
        };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      {...texts}
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(member, { onSuccess: onClose })}
    />
  );
}

/** The dialog to invite somebody to work for the farm: by mail, or by a link that is handed on. */
function InviteDialog({ me, onClose }: { me: User; onClose: () => void }) {
  const invite = useInviteMember();
  const byLink = useInviteByLink();
  const form = useZodForm(InviteMember, {
    defaultValues: { email: '', role: 'packer' as FarmRole },
  });
  const role = form.watch('role');
  const isPending = invite.isPending || byLink.isPending;
  const link = byLink.data?.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isPending && onClose()}
      title={t('Invite someone')}
      description={
        link
          ? t(
              'Show the code, or send the link. Whoever opens it first can join, once, within {days, plural, one {# day} other {# days}}.',
              { days: INVITE_VALID_DAYS },
            )
          : t(
              'They find the invitation in the app when they sign in with this address, for {days, plural, one {# day} other {# days}}. We mail it too: once a day to each address, and at most {mails, number} a day.',
              { days: INVITE_VALID_DAYS, mails: UNSOLICITED_PER_DAY.sender },
            )
      }
    >
      {link ? (
        <LinkToInvite url={link.url} onClose={onClose} />
      ) : (
        <Form
          form={form}
          onSubmit={async (values) => {
            await invite.mutateAsync(values);
            onClose();
          }}
          className="grid gap-5"
        >
          <FormError form={form} />
          {me.isEmailVerified === false && (
            <Alert kind="warning">
              {t('Confirm your email first: until then we mail no invitations.')}
            </Alert>
          )}
          <FormField
            form={form}
            name="role"
            label={t('Role')}
            hint={writeMessage(ROLE_TEXTS[role])}
          >
            {(field) => (
              <Select {...field}>
                <Options of={FARM_ROLES.map((each) => [each, writeMessage(ROLE_NAMES[each])])} />
              </Select>
            )}
          </FormField>
          <FormField form={form} name="email" label={t('Email')} required>
            {(field) => <EmailInput {...field} autoComplete="off" />}
          </FormField>
          <div className="grid gap-2 border-t border-hairline pt-4">
            <p className="text-sm text-ink-soft">
              {t('Are they beside you, or is there no email? Give them a link instead.')}
            </p>
            <Button
              variant="secondary"
              icon={<QrCode />}
              className="justify-self-start"
              pending={byLink.isPending}
              onClick={() => byLink.mutate({ role })}
            >
              {t('Make a link')}
            </Button>
          </div>
          <FormButtons label={t('Send invitation')} pending={invite.isPending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}

/** An invitation to be handed on, which is shown this once. */
const LinkToInvite = ({ url, onClose }: { url: string; onClose: () => void }) => (
  <div className="grid gap-5">
    <Suspense fallback={<div className="size-48" />}>
      <Qr text={url} className="size-48 justify-self-center" />
    </Suspense>
    <Field
      label={t('Invitation link')}
      hint={t('It is shown only now. You can withdraw it among the people.')}
    >
      <Input readOnly dir="ltr" value={url} onFocus={(event) => event.target.select()} />
    </Field>
    <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
      <Button variant="secondary" onClick={onClose}>
        {t('Done')}
      </Button>
      <CopyLinkButton to={url} variant="primary">
        {t('Copy the link')}
      </CopyLinkButton>
    </div>
  </div>
);

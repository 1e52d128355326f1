import { INVITE_VALID_DAYS } from '#contract/farm/members/constants';
import { InviteMember } from '#contract/farm/members/members';
import { UNSOLICITED_PER_DAY } from '#contract/people/notifications/constants';
import type { User } from '#contract/people/users/users';
import { FARM_ROLES, type FarmRole } from '#contract/platform/session/constants';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { EmailInput } from '../../platform/ui/fields/Input.tsx';
import { Select } from '../../platform/ui/fields/Select.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useInviteMember } from './commands.ts';
import { ROLE_NAMES, ROLE_TEXTS } from './roles.ts';

/** The dialog to invite somebody to work for the farm. */
export function InviteDialog({ me, onClose }: { me: User; onClose: () => void }) {
  const invite = useInviteMember();
  const form = useZodForm(InviteMember, {
    defaultValues: { email: '', role: 'packer' as FarmRole },
  });
  const role = form.watch('role');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !invite.isPending && onClose()}
      title="Invite someone"
      description={`They find the invitation in the app when they sign in with this address, for ${INVITE_VALID_DAYS} days. We mail it too: once a day to each address, and at most ${UNSOLICITED_PER_DAY.sender} a day.`}
    >
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
          <Alert kind="warning">Confirm your email first: until then we mail no invitations.</Alert>
        )}
        <FormField form={form} name="email" label="Email" required>
          {(field) => <EmailInput {...field} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="role" label="Role" hint={ROLE_TEXTS[role]}>
          {(field) => (
            <Select {...field}>
              {FARM_ROLES.map((each) => (
                <option key={each} value={each}>
                  {ROLE_NAMES[each]}
                </option>
              ))}
            </Select>
          )}
        </FormField>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={invite.isPending}>
            Send invitation
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

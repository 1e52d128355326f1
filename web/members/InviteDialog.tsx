import { FARM_ROLES, type FarmRole } from '#contract/constants/farm';
import { INVITE_VALID_DAYS } from '#contract/constants/members';
import { InviteMember } from '#contract/members';
import { Form, FormError, FormField, useZodForm } from '../ui/form.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Dialog } from '../ui/primitives/Dialog.tsx';
import { EmailInput } from '../ui/primitives/Input.tsx';
import { Select } from '../ui/primitives/Select.tsx';
import { useInviteMember } from './commands.ts';
import { ROLE_NAMES, ROLE_TEXTS } from './roles.ts';

/** The dialog to invite somebody to work for the farm. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
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
      description={`They get a link by email, which works once, for ${INVITE_VALID_DAYS} days.`}
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

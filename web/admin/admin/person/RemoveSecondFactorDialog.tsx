import { REMOVAL_REASON_MAX } from '#contract/people/second-factor/constants';
import { RemoveSecondFactor } from '#contract/people/second-factor/second-factor';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Textarea } from '../../../platform/ui/fields/controls.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { useRemoveSecondFactor } from '../case-queries.ts';

/** Asks how an admin knows who asks, before the second factor of somebody who lost it is removed. */
export function RemoveSecondFactorDialog({
  user,
  onClose,
}: {
  user: { _id: string; name: string };
  onClose: () => void;
}) {
  const remove = useRemoveSecondFactor(user._id);
  const form = useZodForm(RemoveSecondFactor, { mode: 'onSubmit', defaultValues: { reason: '' } });
  const { isSubmitting } = form.formState;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isSubmitting && onClose()}
      title={`Remove the second factor of ${user.name}?`}
      description="Their app, recovery codes and passkeys end, and they're signed out everywhere. Their password alone signs them in then. We tell them by email."
    >
      <Form
        form={form}
        label="Remove the second factor"
        onSubmit={async (input) => {
          await remove.mutateAsync(input);
          onClose();
        }}
        className="grid gap-5"
      >
        <FormError form={form} />
        <FormField
          form={form}
          name="reason"
          label="How do you know it's them?"
          hint="Only admins see it. Call a number you know, for example: anyone can write an email."
          required
        >
          {(field) => <Textarea {...field} rows={3} maxLength={REMOVAL_REASON_MAX} />}
        </FormField>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button
            variant="secondary"
            aria-disabled={isSubmitting || undefined}
            onClick={() => !isSubmitting && onClose()}
          >
            Cancel
          </Button>
          <Button type="submit" variant="danger" pending={isSubmitting} pendingLabel="Removing...">
            Remove second factor
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

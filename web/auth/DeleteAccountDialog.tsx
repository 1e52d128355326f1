import { useId } from 'react';
import type { Member } from '#contract/members';
import { DeleteOwnAccount, type User } from '#contract/users';
import { z } from '#contract/zod';
import { capitalized } from '../lib/format.ts';
import { Form, FormError, FormField, useZodForm } from '../ui/form.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Dialog } from '../ui/primitives/Dialog.tsx';
import { PasswordInput } from '../ui/primitives/PasswordInput.tsx';
import { Select } from '../ui/primitives/Select.tsx';
import { Loading, Skeleton } from '../ui/primitives/Skeleton.tsx';
import { useDeleteAccount } from './account-commands.ts';
import { type FarmOutcome, farmOutcome, whatGoes, whatStays } from './deletion-words.ts';
import { SecondFactorField } from './SecondFactorField.tsx';
import { useSecondFactorStep } from './second-factor-step.ts';

/** What is chosen where nobody takes the farm over. */
const CLOSE = '';

const DeletionForm = DeleteOwnAccount.pick({ password: true, code: true }).extend({
  successor: z.string(),
});

/** Says what goes and what stays, and deletes the account once its owner has confirmed it. */
export function DeleteAccountDialog({
  user,
  staff,
  onClose,
}: {
  user: User;
  /** Who works for the person's farm; undefined while that is not known, null for no farm of theirs. */
  staff: readonly Member[] | null | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete your account?"
      description="This can't be undone."
      role="alertdialog"
    >
      {staff === undefined ? (
        <Loading className="grid gap-3">
          <Skeleton className="h-24" />
          <Skeleton className="h-12" />
        </Loading>
      ) : (
        <Deletion user={user} outcome={farmOutcome(user, staff)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Deletion({
  user,
  outcome,
  onClose,
}: {
  user: User;
  outcome: FarmOutcome;
  onClose: () => void;
}) {
  const remove = useDeleteAccount();
  const successors = outcome.kind === 'needsSuccessor' ? outcome.successors : [];
  const form = useZodForm(DeletionForm, {
    defaultValues: { password: '', code: '', successor: successors[0]?._id ?? CLOSE },
  });
  const secondFactor = useSecondFactorStep();
  const isClosing = outcome.kind === 'needsSuccessor' && form.watch('successor') === CLOSE;
  return (
    <Form
      form={form}
      label="Delete my account"
      onSubmit={({ password, code, successor }) =>
        secondFactor.confirm(code, (proof) =>
          remove.mutateAsync({
            password,
            ...proof,
            ...(successor === CLOSE ? {} : { successor }),
          }),
        )
      }
      className="grid gap-5"
    >
      <FormError form={form} />
      {successors.length > 0 && (
        <FormField form={form} name="successor" label="What becomes of your farm">
          {(field) => (
            <Select {...field}>
              {successors.map(({ _id, user: person, role }) => (
                <option key={_id} value={_id}>
                  Hand over to {person?.name} ({capitalized(role)})
                </option>
              ))}
              <option value={CLOSE}>Close the farm</option>
            </Select>
          )}
        </FormField>
      )}
      <Lines title="What goes" lines={whatGoes(user, isClosing)} />
      <Lines title="What stays" lines={whatStays(user, isClosing)} />
      {/* Password managers keep the password under this name. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={user.email}
        readOnly
        hidden
      />
      <FormField form={form} name="password" label="Your password" required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <SecondFactorField
        step={secondFactor}
        field={form.register('code')}
        error={form.formState.errors.code?.message}
      />
      <div className="flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
        <Button
          type="button"
          variant="secondary"
          aria-disabled={remove.isPending || undefined}
          onClick={() => !remove.isPending && onClose()}
        >
          Keep my account
        </Button>
        <Button
          type="submit"
          variant="danger"
          pending={remove.isPending}
          pendingLabel="Deleting..."
        >
          Delete my account
        </Button>
      </div>
    </Form>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  const id = useId();
  return (
    <div className="grid gap-1 text-sm">
      <h3 id={id} className="font-sans text-sm font-semibold">
        {title}
      </h3>
      <ul aria-labelledby={id} className="grid list-disc gap-1 pl-5 text-ink-soft">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

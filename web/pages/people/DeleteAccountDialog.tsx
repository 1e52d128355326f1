import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Member } from '#contract/farm/members/members';
import { DeleteOwnAccount, type DeletionOutlook, type User } from '#contract/people/users/users';
import { z } from '#contract/platform/http/zod';
import { deletionOutlookQuery } from '../../people/auth/queries.ts';
import { SecondFactorField, useSecondFactorStep } from '../../people/auth/SecondFactorField.tsx';
import { useDeleteAccount } from '../../people/auth/security/commands.ts';
import { capitalized } from '../../platform/format/format.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { Select } from '../../platform/ui/fields/Select.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { type FarmOutcome, farmOutcome, whatGoes, whatStays } from './deletion-words.ts';

/** What is chosen where the farm closes, and where its other owners go on with it. */
const CLOSE = '';
const KEEP = 'keep';

const NONE = { count: 0, ids: [] };
/** Where the orders cannot be read, the account can be deleted all the same. */
const NOTHING_OPEN: DeletionOutlook = {
  orders: { pending: NONE, accepted: NONE },
  farmOrders: null,
};

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
  const outlook = useQuery(deletionOutlookQuery());
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete your account?"
      description="This can't be undone."
      role="alertdialog"
    >
      {staff === undefined || outlook.isPending ? (
        <Loading className="grid gap-3">
          <Skeleton className="h-24" />
          <Skeleton className="h-12" />
        </Loading>
      ) : (
        <Deletion
          user={user}
          outcome={farmOutcome(user, staff)}
          outlook={outlook.data ?? NOTHING_OPEN}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function Deletion({
  user,
  outcome,
  outlook,
  onClose,
}: {
  user: User;
  outcome: FarmOutcome;
  outlook: DeletionOutlook;
  onClose: () => void;
}) {
  const remove = useDeleteAccount();
  const successors = outcome.kind === 'needsSuccessor' ? outcome.successors : [];
  const isShared = outcome.kind === 'goesOn' && outcome.mayClose;
  const form = useZodForm(DeletionForm, {
    defaultValues: {
      password: '',
      code: '',
      successor: isShared ? KEEP : (successors[0]?._id ?? CLOSE),
    },
  });
  const secondFactor = useSecondFactorStep();
  const isClosing =
    (isShared || outcome.kind === 'needsSuccessor') && form.watch('successor') === CLOSE;
  return (
    <Form
      form={form}
      label="Delete my account"
      onSubmit={({ password, code, successor }) =>
        secondFactor.confirm(code, (proof) =>
          remove.mutateAsync({
            password,
            ...proof,
            ...(isShared && successor === CLOSE ? { closeFarm: true } : {}),
            ...(successor === CLOSE || successor === KEEP ? {} : { successor }),
          }),
        )
      }
      className="grid gap-5"
    >
      <FormError form={form} />
      {(isShared || successors.length > 0) && (
        <FormField form={form} name="successor" label="What becomes of your farm">
          {(field) => (
            <Select {...field}>
              {isShared && <option value={KEEP}>It goes on under its other owners</option>}
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
      <Lines title="What goes" lines={whatGoes(user, isClosing, outlook)} />
      <Lines title="What stays" lines={whatStays(user, isClosing, outlook)} />
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
      <SecondFactorField step={secondFactor} form={form} />
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

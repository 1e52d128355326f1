import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Member } from '#contract/farm/members/members';
import { DeleteOwnAccount, type DeletionOutlook, type User } from '#contract/people/users/users';
import { z } from '#contract/platform/http/zod';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { ROLE_NAMES } from '../../farm/members/OwnInvitations.tsx';
import { allOpen, formatOrders, orderNumbers } from '../../ordering/model/order-items.ts';
import { SecondFactorField, useSecondFactorStep } from '../../people/auth/SecondFactorField.tsx';
import { deletionOutlookQuery, useDeleteAccount } from '../../people/auth/security/commands.ts';
import { Dialog, FormButtons } from '../../platform/ui/dialogs/Dialog.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { SelectField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';

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
      title={t('Delete your account?')}
      description={t("This can't be undone.")}
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
      label={t('Delete my account')}
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
        <SelectField
          form={form}
          name="successor"
          label={t('What becomes of your farm')}
          options={[
            ...(isShared ? [{ value: KEEP, label: t('It goes on under its other owners') }] : []),
            ...successors.map(({ _id, user: person, role }) => ({
              value: _id,
              label: t('Hand over to {name} ({role})', {
                name: person?.name ?? '',
                role: writeMessage(ROLE_NAMES[role]),
              }),
            })),
            { value: CLOSE, label: t('Close the farm') },
          ]}
        />
      )}
      <Lines title={t('What goes')} lines={whatGoes(user, isClosing, outlook)} />
      <Lines title={t('What stays')} lines={whatStays(user, isClosing, outlook)} />
      {/* Password managers keep the password under this name. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={user.email}
        readOnly
        hidden
      />
      <FormField form={form} name="password" label={t('Your password')} required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <SecondFactorField step={secondFactor} form={form} />
      <FormButtons
        label={t('Delete my account')}
        cancelLabel={t('Keep my account')}
        danger
        pending={remove.isPending}
        pendingLabel={t('Deleting...')}
        onCancel={onClose}
      />
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
      <ul aria-labelledby={id} className="grid list-disc gap-1 ps-5 text-ink-soft">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** What becomes of a person's farm when they delete their account. */
export type FarmOutcome =
  | { kind: 'none' }
  /** It goes on under others; an owner may close it all the same. */
  | { kind: 'goesOn'; mayClose: boolean }
  /** It closes unless one of these takes it over; without any it closes. */
  | { kind: 'needsSuccessor'; successors: readonly Member[] };

/**
 * Returns what becomes of the farm, as the server decides it: it goes on under its other owners; without them somebody
 * has to take it over.
 * @param staff who works there; null for no farm
 */
export function farmOutcome(
  { _id }: Pick<User, '_id'>,
  staff: readonly Member[] | null,
): FarmOutcome {
  const own = staff?.find(({ user }) => user?._id === _id);
  if (!staff || !own) return { kind: 'none' };
  const others = staff.filter(({ state, user }) => state === 'active' && user?._id !== _id);
  if (own.role !== 'owner') return { kind: 'goesOn', mayClose: false };
  return others.some(({ role }) => role === 'owner')
    ? { kind: 'goesOn', mayClose: true }
    : { kind: 'needsSuccessor', successors: others };
}

/** Returns what a deletion takes away, a line each. */
export function whatGoes(
  { role }: Pick<User, 'role'>,
  isClosing: boolean,
  { orders, farmOrders }: DeletionOutlook,
): string[] {
  const pending = orderNumbers(orders.pending);
  const farms = farmOrders ? orderNumbers(allOpen(farmOrders)) : '';
  return [
    t('Your name, email, phone and addresses, everywhere.'),
    t('Your notifications and choices. You are signed out on every device.'),
    ...(role === 'consumer'
      ? [
          pending
            ? t('Pending orders, which are cancelled: {orders}.', { orders: pending })
            : t('Pending orders, which are cancelled.'),
        ]
      : []),
    ...(isClosing
      ? [
          t('Your farm and its products. Its open orders are cancelled.'),
          ...(farms
            ? [t('Cancelled, and the customers are told: {orders}.', { orders: farms })]
            : []),
        ]
      : []),
  ];
}

/** Returns what stays with others, a line each. */
export function whatStays(
  { role }: Pick<User, 'role'>,
  isClosing: boolean,
  { orders, farmOrders }: DeletionOutlook,
): string[] {
  const accepted = formatOrders(orders.accepted, 'accepted');
  const farms = farmOrders ? formatOrders(allOpen(farmOrders), 'open') : '';
  return [
    ...(role === 'consumer'
      ? [t('Orders, under “Deleted user”. Accepted ones stay as agreed.')]
      : []),
    ...(role === 'consumer' && accepted
      ? [t('{orders}: the farms are told that you have left.', { orders: accepted })]
      : []),
    ...(role === 'farmer'
      ? [
          isClosing
            ? t('Past orders, with their customers, under “Deleted user”.')
            : farms
              ? t('The farm, its products and its orders, also {orders}.', { orders: farms })
              : t('The farm, its products and its orders.'),
        ]
      : []),
    ...(role === 'admin'
      ? [t('What you did as an admin, in the audit, under “Deleted user”.')]
      : []),
    t('Messages you wrote, with the person who got them.'),
  ];
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminPerson } from '#contract/admin/admin/admin';
import type { DeleteUserQuery } from '#contract/people/users/users';
import type { Role } from '#contract/platform/http/http';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { personQuery } from '../../admin/admin/queries.ts';
import { ROLE_NAMES } from '../../farm/members/OwnInvitations.tsx';
import { allOpen, formatOrders } from '../../ordering/model/order-items.ts';
import { useDeleteUser } from '../../people/users/queries.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ChoiceField } from '../../platform/ui/form/fields.tsx';

/** What is chosen where the farm closes, and where its other owners go on with it. */
const CLOSE = '';
const KEEP = 'keep';

/**
 * Asks before an account is deleted, and names the orders that it concerns. A farm that would close with it can be
 * handed over to one of its people, and one that goes on under other owners can be closed.
 */
export function DeleteUserDialog({
  user,
  onClose,
  onDeleted = onClose,
}: {
  user: { _id: string; name: string; role: Role };
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const remove = useDeleteUser();
  const { data: person, isPending } = useQuery({
    ...personQuery(user._id),
    refetchOnMount: 'always',
  });
  const choices = choicesOf(person);
  const [chosen, setChosen] = useState<string>();
  // Somebody may have left the farm meanwhile.
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0];
  const isClosing = choice ? choice.value === CLOSE : Boolean(person?.closingFarm);
  const farm = person?.closingFarm ?? person?.sharedFarm;
  const lines = concernedLines(person, isClosing);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('Delete {name}?', { name: user.name })}
      description={descriptionOf(user.role, isClosing, choice?.value)}
      confirmLabel={t('Delete user')}
      danger
      pending={remove.isPending || isPending}
      onConfirm={() =>
        remove.mutate(
          { user, ...farmQueryOf(choice?.value, Boolean(person?.sharedFarm)) },
          { onSuccess: onDeleted },
        )
      }
    >
      {farm && choice && (
        <ChoiceField
          label={t('What becomes of {farm}', { farm: farm.farmName })}
          options={choices}
          value={choice.value}
          onChange={setChosen}
        />
      )}
      {lines.length > 0 && (
        <ul className="grid gap-1 text-sm wrap-anywhere">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

/** Returns what the API is told of the farm; nothing where it decides itself. */
function farmQueryOf(value: string | undefined, isShared: boolean): DeleteUserQuery {
  if (value === undefined || value === KEEP) return {};
  if (value !== CLOSE) return { successor: value };
  return isShared ? { closes: 'true' } : {};
}

function choicesOf(person: AdminPerson | undefined): { value: string; label: string }[] {
  const close = { value: CLOSE, label: t('Close the farm') };
  const successors = person?.closingFarm?.successors ?? [];
  if (successors.length > 0) {
    return [
      ...successors.map(({ _id, name, role }) => ({
        value: _id,
        label: t('Hand over to {name} ({role})', { name, role: writeMessage(ROLE_NAMES[role]) }),
      })),
      close,
    ];
  }
  return person?.sharedFarm
    ? [{ value: KEEP, label: t('It goes on under its other owners') }, close]
    : [];
}

function descriptionOf(role: Role, isClosing: boolean, choice: string | undefined): string {
  if (role !== 'farmer') return t('Pending orders are cancelled. This action cannot be undone.');
  if (isClosing) {
    return t('The farm and its products leave the market. This action cannot be undone.');
  }
  return choice === undefined
    ? t('The farm they work for goes on. This action cannot be undone.')
    : t('The farm, its products and its orders go on. This action cannot be undone.');
}

/** Says which open orders end with an account, and which stay. */
function concernedLines(person: AdminPerson | undefined, isClosing: boolean): string[] {
  const { orders, farmOrders } = person?.openOrders ?? {};
  const pending = orders && formatOrders(orders.pending, 'pending');
  const accepted = orders && formatOrders(orders.accepted, 'accepted');
  const farms = farmOrders && isClosing && formatOrders(allOpen(farmOrders), 'open');
  return [
    ...(pending ? [t('Cancelled: {orders}.', { orders: pending })] : []),
    ...(accepted ? [t('Stays, and the farm is told: {orders}.', { orders: accepted })] : []),
    ...(farms ? [t('Cancelled, and the customers are told: {orders}.', { orders: farms })] : []),
  ];
}

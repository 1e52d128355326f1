import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { AdminPerson } from '#contract/admin';
import type { Role } from '#contract/http';
import { capitalized } from '../lib/format.ts';
import { ConfirmDialog } from '../ui/primitives/ConfirmDialog.tsx';
import { Select } from '../ui/primitives/Select.tsx';
import { personQuery } from './case-queries.ts';

/** What is chosen where nobody takes the farm over. */
const CLOSE = '';

/**
 * Asks before an account is deleted. A farm that would close with it can be handed over to one of its people:
 * `onConfirm` gets their membership's id.
 */
export function DeleteUserDialog({
  user,
  pending,
  onConfirm,
  onClose,
}: {
  user: { _id: string; name: string; role: Role };
  pending: boolean;
  onConfirm: (successor: string | undefined) => void;
  onClose: () => void;
}) {
  const isFarmer = user.role === 'farmer';
  const person = useQuery({ ...personQuery(user._id), enabled: isFarmer });
  const farm = person.data?.closingFarm ?? null;
  const [chosen, setChosen] = useState<string>();
  // Somebody may have left the farm meanwhile.
  const options = [...(farm?.successors.map(({ _id }) => _id) ?? []), CLOSE];
  const successor = chosen !== undefined && options.includes(chosen) ? chosen : options[0];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${user.name}?`}
      description={descriptionOf(user.role, person.data, successor || undefined)}
      confirmLabel="Delete user"
      danger
      pending={pending || (isFarmer && person.isPending)}
      onConfirm={() => onConfirm(successor || undefined)}
    >
      {farm && farm.successors.length > 0 && (
        <SuccessorSelect farm={farm} value={successor ?? CLOSE} onChange={setChosen} />
      )}
    </ConfirmDialog>
  );
}

function descriptionOf(
  role: Role,
  person: AdminPerson | undefined,
  successor: string | undefined,
): string {
  if (role !== 'farmer') return 'Pending orders are cancelled. This action cannot be undone.';
  if (successor !== undefined) {
    return 'The farm, its products and its orders go on. This action cannot be undone.';
  }
  const isClosing = person?.closingFarm !== null;
  return isClosing
    ? 'The farm and its products leave the market. This action cannot be undone.'
    : 'The farm they work for goes on. This action cannot be undone.';
}

function SuccessorSelect({
  farm,
  value,
  onChange,
}: {
  farm: NonNullable<AdminPerson['closingFarm']>;
  value: string;
  onChange: (successor: string) => void;
}) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        What becomes of {farm.farmName}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {farm.successors.map(({ _id, name, role }) => (
          <option key={_id} value={_id}>
            Hand over to {name} ({capitalized(role)})
          </option>
        ))}
        <option value={CLOSE}>Close the farm</option>
      </Select>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { UserAddress } from '#contract/people/addresses/addresses';
import { ADDRESSES_MAX } from '#contract/people/addresses/constants';
import { formatAddress } from '#contract/platform/text/constants/address';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { AddressDialog } from './AddressDialog.tsx';
import { useRemoveAddress, useUpdateAddress } from './commands.ts';
import { addressesQuery } from './queries.ts';

/** The signed-in person's addresses, a card of the profile: the preferred one is the address above it. */
export function AddressesCard() {
  const { data: addresses, error, refetch, isFetching } = useQuery(addressesQuery());
  const [editing, setEditing] = useState<UserAddress | 'new' | null>(null);
  const [toRemove, setToRemove] = useState<UserAddress | null>(null);
  const isFull = addresses !== undefined && addresses.length >= ADDRESSES_MAX;
  return (
    <Card as="section" aria-labelledby="addresses">
      <CardHeader id="addresses" title="Addresses">
        {addresses && !isFull && (
          <Button variant="secondary" size="sm" icon={<Plus />} onClick={() => setEditing('new')}>
            Add an address
          </Button>
        )}
      </CardHeader>
      <p className="mb-4 max-w-prose text-sm text-ink-soft">
        Choose one of them when something is to be delivered. The preferred one is that of your
        profile.
        {isFull && ` You have ${ADDRESSES_MAX}, which is the most: remove one to add another.`}
      </p>
      {addresses ? (
        addresses.length === 0 ? (
          <p className="text-sm text-ink-soft">No addresses yet.</p>
        ) : (
          <ul className="grid divide-y divide-hairline border-y border-hairline">
            {addresses.map((address) => (
              <AddressRow
                key={address._id}
                address={address}
                onEdit={() => setEditing(address)}
                onRemove={() => setToRemove(address)}
              />
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <SkeletonRows rows={2} />
      )}
      {editing && (
        <AddressDialog
          address={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {toRemove && <RemoveDialog address={toRemove} onClose={() => setToRemove(null)} />}
    </Card>
  );
}

/** What an address is called: its label, or itself. */
const nameOf = ({ label, address }: UserAddress): string => label || formatAddress(address);

function AddressRow({
  address,
  onEdit,
  onRemove,
}: {
  address: UserAddress;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const update = useUpdateAddress();
  const name = nameOf(address);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-48 grow basis-0 text-sm">
        {(address.label || address.isPreferred) && (
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {address.label && <span className="break-words">{address.label}</span>}
            {address.isPreferred && <Badge tone="leaf">Preferred</Badge>}
          </p>
        )}
        <p className="break-words text-ink-soft">{formatAddress(address.address)}</p>
      </div>
      <div className="flex flex-wrap gap-1">
        {!address.isPreferred && (
          <Button
            variant="quiet"
            size="sm"
            pending={update.isPending}
            aria-label={`Prefer ${name}`}
            onClick={() => update.mutate({ _id: address._id, isPreferred: true })}
          >
            Prefer
          </Button>
        )}
        <Button
          variant="quiet"
          size="sm"
          icon={<Pencil />}
          aria-label={`Edit ${name}`}
          onClick={onEdit}
        >
          Edit
        </Button>
        <Button
          variant="danger-quiet"
          size="sm"
          icon={<Trash2 />}
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

function RemoveDialog({ address, onClose }: { address: UserAddress; onClose: () => void }) {
  const remove = useRemoveAddress();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${nameOf(address)}?`}
      description={
        address.isPreferred
          ? 'It is the address of your profile. Another one takes its place there, if you have one.'
          : 'Orders you placed keep it.'
      }
      confirmLabel="Remove"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(address._id, { onSuccess: onClose })}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import {
  CreateAddress,
  type UpdateAddress,
  type UserAddress,
} from '#contract/people/addresses/addresses';
import { ADDRESSES_MAX, addressesApi } from '#contract/people/addresses/constants';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { ConfirmDialog, Dialog, FormButtons } from '../../platform/ui/dialogs/Dialog.tsx';
import { Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { AddressFields } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Badge, Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader, RowActions } from '../../platform/ui/primitives/sections.tsx';
import { addressesQuery } from './queries.ts';

/** The signed-in person's addresses, a card of the profile: the preferred one is the address above it. */
export function AddressesCard() {
  const query = useQuery(addressesQuery());
  const [editing, setEditing] = useState<UserAddress | 'new' | null>(null);
  const [toRemove, setToRemove] = useState<UserAddress | null>(null);
  const isFull = (query.data?.length ?? 0) >= ADDRESSES_MAX;
  return (
    <Card as="section" aria-labelledby="addresses">
      <CardHeader id="addresses" title={t('Addresses')}>
        {query.data && !isFull && (
          <Button variant="secondary" size="sm" icon={<Plus />} onClick={() => setEditing('new')}>
            {t('Add an address')}
          </Button>
        )}
      </CardHeader>
      <p className="mb-4 max-w-prose text-sm text-ink-soft">
        {t(
          'Choose one of them when something is to be delivered. The preferred one is that of your profile.',
        )}
        {isFull && (
          <>
            {' '}
            {t('You have {count}, which is the most: remove one to add another.', {
              count: ADDRESSES_MAX,
            })}
          </>
        )}
      </p>
      <Fetched query={query} skeleton={<SkeletonRows rows={2} />}>
        {(addresses) =>
          addresses.length === 0 ? (
            <p className="text-sm text-ink-soft">{t('No addresses yet.')}</p>
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
        }
      </Fetched>
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

type RowProps = { address: UserAddress; onEdit: () => void; onRemove: () => void };

function AddressRow({ address, onEdit, onRemove }: RowProps) {
  const update = useUpdateAddress();
  const name = nameOf(address);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-48 grow basis-0 text-sm">
        {(address.label || address.isPreferred) && (
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {address.label && <bdi className="wrap-anywhere">{address.label}</bdi>}
            {address.isPreferred && <Badge tone="leaf">{t('Preferred')}</Badge>}
          </p>
        )}
        <p dir="auto" className="wrap-anywhere text-ink-soft">
          {formatAddress(address.address)}
        </p>
      </div>
      <div className="flex flex-wrap gap-1">
        {!address.isPreferred && (
          <Button
            variant="quiet"
            size="sm"
            pending={update.isPending}
            aria-label={t('Prefer {name}', { name })}
            onClick={() => update.mutate({ _id: address._id, isPreferred: true })}
          >
            {t('Prefer')}
          </Button>
        )}
        <RowActions {...{ name, onEdit, onRemove }} />
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
      title={t('Remove {name}?', { name: nameOf(address) })}
      description={
        address.isPreferred
          ? t(
              'It is the address of your profile. Another one takes its place there, if you have one.',
            )
          : t('Orders you placed keep it.')
      }
      confirmLabel={t('Remove')}
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(address._id, { onSuccess: onClose })}
    />
  );
}

/** Adds an address, or changes one. */
export function AddressDialog({
  address,
  onClose,
}: {
  /** Null for a new one. */
  address: UserAddress | null;
  onClose: () => void;
}) {
  const create = useCreateAddress();
  const update = useUpdateAddress();
  const form = useZodForm(CreateAddress, {
    defaultValues: {
      label: address?.label ?? '',
      address: address?.address ?? { street: '', city: '', state: '', zipCode: '' },
      isPreferred: address?.isPreferred ?? false,
    },
  });
  const title = address ? t('Edit address') : t('New address');
  const save = async ({ isPreferred, ...input }: CreateAddress) => {
    if (address) {
      const prefers = isPreferred && !address.isPreferred;
      await update.mutateAsync({
        _id: address._id,
        ...input,
        ...(prefers ? { isPreferred: true as const } : {}),
      });
    } else await create.mutateAsync({ ...input, isPreferred });
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title}>
      <Form
        form={form}
        label={title}
        draftKey={`address:${address?._id ?? 'new'}`}
        onSubmit={save}
        className="grid gap-5"
      >
        <FormError form={form} />
        <FormField form={form} name="label" label={t('Name (optional)')}>
          {(field) => <Input {...field} placeholder={t('Work, Grandma, …')} autoComplete="off" />}
        </FormField>
        <AddressFields form={form} isOwn required={['street', 'city']} />
        {!address?.isPreferred && (
          <Checkbox
            label={t('Prefer this address')}
            hint={t('It becomes the address of your profile.')}
            className="pointer-coarse:items-start"
            {...form.register('isPreferred')}
          />
        )}
        <FormButtons
          label={t('Save address')}
          pending={form.formState.isSubmitting}
          pendingLabel={t('Saving...')}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Each has an event about the profile, whose address is the preferred one. */
const addressSaved = {
  done: () => t('Address saved.'),
  invalidates: addressesQuery().queryKey,
};

/** Keeps another address. */
const useCreateAddress = () =>
  useCommand((body: CreateAddress) => call(addressesApi.create, { body }), addressSaved);

/** Changes an address, or prefers it. */
const useUpdateAddress = () =>
  useCommand(
    ({ _id, ...body }: Pick<UserAddress, '_id'> & UpdateAddress) =>
      call(addressesApi.update, { params: { id: _id }, body }),
    addressSaved,
  );

/** Removes an address. */
const useRemoveAddress = () =>
  useCommand((id: string) => call(addressesApi.remove, { params: { id } }), {
    ...addressSaved,
    done: t('Address removed.'),
  });

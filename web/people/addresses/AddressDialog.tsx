import { CreateAddress, type UserAddress } from '#contract/people/addresses/addresses';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useCreateAddress, useUpdateAddress } from './AddressesCard.tsx';

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
  const title = address ? 'Edit address' : 'New address';
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
        <FormField form={form} name="label" label="Name (optional)">
          {(field) => <Input {...field} placeholder="Work, Grandma, …" autoComplete="off" />}
        </FormField>
        <FormField form={form} name="address.street" label="Street" required>
          {(field) => <Input {...field} autoComplete="street-address" />}
        </FormField>
        <FormField form={form} name="address.city" label="City" required>
          {(field) => <Input {...field} autoComplete="address-level2" />}
        </FormField>
        <div className="grid grid-cols-2 gap-4">
          <FormField form={form} name="address.state" label="State">
            {(field) => <Input {...field} autoComplete="address-level1" />}
          </FormField>
          <FormField form={form} name="address.zipCode" label="ZIP code">
            {(field) => <Input {...field} autoComplete="postal-code" />}
          </FormField>
        </div>
        {!address?.isPreferred && (
          <Checkbox
            label="Prefer this address"
            hint="It becomes the address of your profile."
            className="pointer-coarse:items-start"
            {...form.register('isPreferred')}
          />
        )}
        <div className="flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
          <Button type="button" variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={form.formState.isSubmitting} pendingLabel="Saving...">
            Save address
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
